import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, it, onTestFinished } from 'vitest'
import { dropReadModel, openReadModel } from '../adapters/open-adapters.ts'
import { readRows } from './read-rows.ts'

it('reads the same rows and checksums from SQLite and Redis', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rows-'))
  const redis = `${inject('redisUrl')}?prefix=rows-${randomUUID().slice(0, 8)}`
  onTestFinished(async () => {
    await dropReadModel(redis, 'inbox-main')
    rmSync(folder, { recursive: true })
  })
  const [inFile, inRedis] = await Promise.all(
    [`sqlite:${folder}`, redis].map(async (url) => {
      const readModel = await openReadModel(url, 'inbox-main')
      await readModel.commit({
        projection: 'inbox',
        partition: 'b07',
        expected: undefined,
        position: '0000000000000007:00',
        writes: [
          { op: 'put', collection: 'head', key: 'a', value: { unread: 2, name: 'Zoë' } },
          { op: 'put', collection: 'head', key: 'b', value: { unread: 0 } },
          { op: 'add', list: 'items', member: 'n1', score: 12, value: ['x'] },
        ],
      })
      await readModel.close()
      return readRows({ url, namespace: 'inbox-main', projection: 'inbox', partition: 'b07' })
    }),
  )
  expect(inFile?.position).toBe('0000000000000007:00')
  expect([...(inFile?.rows.keys() ?? [])].toSorted()).toEqual(['d4:heada', 'd4:headb', 'e5:itemsn1'])
  expect(inRedis).toEqual(inFile)
})
