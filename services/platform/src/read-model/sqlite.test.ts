import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readModelContract } from './contract.ts'
import type { ReadModel } from './port.ts'
import { openSqliteReadModel } from './sqlite.ts'

readModelContract('sqlite', async () => {
  const path = await mkdtemp(join(tmpdir(), 'read-model-'))
  const opened: ReadModel[] = []
  return {
    async open(namespace) {
      const readModel = openSqliteReadModel({ path, namespace })
      opened.push(readModel)
      return readModel
    },
    async dispose() {
      await Promise.all(opened.map((readModel) => readModel.close()))
      await rm(path, { recursive: true })
    },
  }
})

it('refuses a namespace that would leave its folder', () => {
  expect(() => openSqliteReadModel({ path: tmpdir(), namespace: '../x' })).toThrow('not valid')
})
