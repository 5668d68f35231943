import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventStoreContract } from './contract.ts'
import { DataFolderInUseError } from './errors.ts'
import { openSqliteEventStore } from './sqlite.ts'

eventStoreContract('SQLite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'event-store-'))
  return {
    open: async () => openSqliteEventStore({ path: join(folder, 'events.db') }),
    dispose: () => rm(folder, { recursive: true }),
  }
})

test('ES-61 a store that is open is refused to a second writer', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'event-store-'))
  const path = join(folder, 'events.db')
  const store = openSqliteEventStore({ path })
  expect(() => openSqliteEventStore({ path })).toThrow(DataFolderInUseError)
  expect(await store.append('a-1', 'no-stream', [{ id: randomUUID(), type: 'Tried', data: {} }])).toMatchObject({
    kind: 'appended',
    revision: 0,
  })
  await store.close()
  await openSqliteEventStore({ path }).close()
  await rm(folder, { recursive: true })
})
