import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readModelContract } from './contract.ts'
import type { ReadModel } from './port.ts'
import { dropSqliteReadModel, openSqliteReadModel } from './sqlite.ts'

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

describe('the SQLite read model', { timeout: 30_000 }, () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'read-model-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('RM-40 refuses a namespace that would leave its folder', () => {
    for (const namespace of ['../x', '', 'a/b', 'A', '.'])
      expect(() => openSqliteReadModel({ path: folder, namespace })).toThrow('not valid')
  })

  it('RM-41 refuses a file of another layout and leaves it as it is', () => {
    const file = join(folder, 'main.db')
    const other = new DatabaseSync(file)
    other.exec('CREATE TABLE precious (x); PRAGMA user_version = 999')
    other.close()
    expect(() => openSqliteReadModel({ path: folder, namespace: 'main' })).toThrow('layout 999')
    const again = new DatabaseSync(file)
    expect(again.prepare('SELECT name FROM sqlite_schema').all()).toEqual([
      expect.objectContaining({ name: 'precious' }),
    ])
    again.close()
  })

  it('RM-42 the end of the process leaves positions and writes in step', async () => {
    const child = fork(join(import.meta.dirname, 'testing/commit-for-ever.ts'), [folder], { stdio: 'inherit' })
    const exited = once(child, 'exit')
    await new Promise<void>((resolve, reject) => {
      child.on('message', (commits) => {
        if (typeof commits === 'number' && commits >= 200) resolve()
      })
      child.on('exit', (code) => reject(new Error(`ended by itself with ${code}`)))
    })
    child.kill('SIGKILL')
    await exited
    const readModel = openSqliteReadModel({ path: folder, namespace: 'main' })
    const position = await readModel.position('a', 'p')
    const newest = await readModel.range('p', 'numbers', { order: 'descending', limit: 2 })
    expect(Number(position)).toBeGreaterThanOrEqual(200)
    expect(await readModel.get({ partition: 'p', collection: 'last', key: 'n' })).toBe(Number(position))
    expect(newest.map(({ score }) => score)).toEqual([Number(position), Number(position) - 1])
    await readModel.close()
  })

  it('RM-51 a dropped namespace is empty when it is opened again', async () => {
    const fill = async (namespace: string) => {
      const readModel = openSqliteReadModel({ path: folder, namespace })
      await readModel.putImmutable({ partition: 'p', collection: 'c', key: 'k' }, namespace)
      return readModel
    }
    const kept = await fill('kept')
    await (await fill('dropped')).close()
    await dropSqliteReadModel({ path: folder, namespace: 'dropped' })
    await dropSqliteReadModel({ path: folder, namespace: 'never-made' })
    expect(await readdir(folder)).not.toContain('dropped.db')
    const again = openSqliteReadModel({ path: folder, namespace: 'dropped' })
    expect(await again.get({ partition: 'p', collection: 'c', key: 'k' })).toBeUndefined()
    expect(await kept.get({ partition: 'p', collection: 'c', key: 'k' })).toBe('kept')
    await Promise.all([again.close(), kept.close()])
  })

  it('RM-43 keeps its log bounded under constant writing, and nothing is lost by moving it', async () => {
    const readModel = openSqliteReadModel({ path: folder, namespace: 'main' })
    const value = 'x'.repeat(2_000)
    const sizes: number[] = []
    for (let n = 1; n <= 120; n++) {
      const writes = Array.from(
        { length: 500 },
        (_, i) => ({ op: 'put', collection: 'c', key: `${i}`, value: `${n}${value}` }) as const,
      )
      const position = String(n).padStart(4, '0')
      const expected = n === 1 ? undefined : String(n - 1).padStart(4, '0')
      expect(await readModel.commit({ projection: 'a', partition: 'p', expected, position, writes })).toBe('committed')
      await new Promise((resolve) => setImmediate(resolve))
      sizes.push(statSync(join(folder, 'main.db-wal')).size)
    }
    // 120 commits of 1 MiB each.
    expect(Math.max(...sizes)).toBeLessThan(80 * 1024 * 1024)
    await readModel.close()
    expect(existsSync(join(folder, 'main.db-wal'))).toBe(false)
    const again = openSqliteReadModel({ path: folder, namespace: 'main' })
    expect(await again.get({ partition: 'p', collection: 'c', key: '499' })).toBe(`120${value}`)
    await again.close()
  })
})
