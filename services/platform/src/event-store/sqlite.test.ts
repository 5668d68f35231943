import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import { mkdtemp, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { eventStoreContract } from '@portal/platform/testing/event-store/contract'
import { newEvent, newEvents, pull, readAll, record } from '@portal/platform/testing/event-store/contract/harness'
import {
  DataFolderInUseError,
  EventIdReusedError,
  StoreClosedError,
  StoreOverloadedError,
  UnknownPositionError,
  WriteFailedError,
} from './errors.ts'
import type { EventStore, Position } from './port.ts'
import { openSqliteEventLog, openSqliteEventStore } from './sqlite.ts'

eventStoreContract('SQLite', async () => {
  const home = await mkdtemp(join(tmpdir(), 'event-store-'))
  return {
    open: async () => openSqliteEventStore({ path: join(home, 'events.db') }),
    dispose: () => rm(home, { recursive: true }),
  }
})

let folder: string
let path: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'event-store-'))
  path = join(folder, 'events.db')
})
afterEach(() => rm(folder, { recursive: true }))

const using = async (store: EventStore, body: (store: EventStore) => Promise<void>): Promise<void> => {
  try {
    await body(store)
  } finally {
    await store.close()
  }
}

describe('the SQLite event store', () => {
  test('ES-4 an event has the time of its commit', () => {
    const now = () => new Date('2026-11-21T10:20:30.405Z')
    return using(openSqliteEventStore({ path, now }), async (store) => {
      await record(store, 'cat-a', newEvents(1))
      expect(await readAll(store, 'cat-a')).toMatchObject([{ at: '2026-11-21T10:20:30.405Z' }])
    })
  })

  test('ES-60 appends of one turn of the event loop share a transaction', () => {
    let transactions = 0
    const now = () => {
      transactions += 1
      return new Date()
    }
    return using(openSqliteEventStore({ path, now }), async (store) => {
      await Promise.all(Array.from({ length: 64 }, (_, n) => record(store, `cat-${n % 7}`, newEvents(2))))
      expect(transactions).toBe(1)
      await record(store, 'cat-a', newEvents(1))
      expect(transactions).toBe(2)
      await Promise.all(Array.from({ length: 10 }, () => record(store, 'cat-b', newEvents(100))))
      expect(transactions).toBe(7)
      expect(await readAll(store, 'cat-b')).toHaveLength(1_000)
    })
  })

  test('ES-61 rejects a second writer of an open store', async () => {
    await using(openSqliteEventStore({ path }), async (store) => {
      expect(() => openSqliteEventStore({ path })).toThrow(DataFolderInUseError)
      await record(store, 'cat-a', newEvents(1))
    })
    await openSqliteEventStore({ path }).close()
  })

  test('ES-61 the log can be read while the store is open and after it is closed', async () => {
    const read = async (): Promise<number> => {
      const log = openSqliteEventLog(path)
      let count = 0
      for await (const event of log.read('cat-a')) count += event.kind === 'event' ? 1 : 0
      await log.check()
      await log.close()
      await expect(log.end()).rejects.toThrow(StoreClosedError)
      return count
    }
    await using(openSqliteEventStore({ path }), async (store) => {
      await record(store, 'cat-a', newEvents(3))
      expect(await read()).toBe(3)
    })
    expect(await read()).toBe(3)
    expect(() => openSqliteEventLog(join(folder, 'missing.db'))).toThrow('There is no event store at')
  })

  test('ES-67 appends wait for the lock of another process without blocking the event loop', () =>
    using(openSqliteEventStore({ path }), async (store) => {
      const other = new DatabaseSync(path)
      other.exec('BEGIN IMMEDIATE')
      let settled = 0
      const appends = ['cat-a', 'cat-b'].map((stream) => record(store, stream, newEvents(1)).then(() => settled++))
      for (let turns = 0; turns < 10; turns++) await nextTurn()
      expect(settled).toBe(0)
      other.close()
      await Promise.all(appends)
    }))

  test('ES-67 appends and check reject with the file while another process holds its lock', () =>
    using(openSqliteEventStore({ path }), async (store) => {
      const other = new DatabaseSync(path)
      other.exec('BEGIN IMMEDIATE')
      const says = `The event store cannot write (${path} is locked by another process: end that one (fuser ${path} names it))`
      await expect(store.check()).rejects.toThrow(says)
      const append = record(store, 'cat-a', newEvents(1))
      await expect(append).rejects.toThrow(WriteFailedError)
      await expect(append).rejects.toThrow(says)
      await expect(store.check()).rejects.toThrow(says)
      other.close()
      await expect(store.check()).resolves.toBeUndefined()
      expect(await record(store, 'cat-a', newEvents(1))).toMatchObject({ revision: 0 })
    }))

  test('ES-67 closing waits for appends that wait for a lock', async () => {
    const store = openSqliteEventStore({ path })
    const other = new DatabaseSync(path)
    other.exec('BEGIN IMMEDIATE')
    const appended = record(store, 'cat-a', newEvents(1))
    await nextTurn()
    const closed = store.close()
    other.close()
    expect(await appended).toMatchObject({ revision: 0 })
    await closed
  })

  test('ES-68 acknowledges nothing once its file was deleted, until it is back', () =>
    using(openSqliteEventStore({ path }), async (store) => {
      const aside = join(folder, 'aside.db')
      await rename(path, aside)
      const says = `${path} was deleted while it is in use: put it back, or stop the portal and restore a backup`
      await expect(store.check()).rejects.toThrow(says)
      await expect(record(store, 'cat-a', newEvents(1))).rejects.toThrow(says)
      await rename(aside, path)
      await expect(store.check()).resolves.toBeUndefined()
      expect(await record(store, 'cat-a', newEvents(1))).toMatchObject({ revision: 0 })
    }))

  test('ES-68 acknowledges nothing once its write-ahead log was deleted, and saves it when it closes', async () => {
    const store = openSqliteEventStore({ path })
    await record(store, 'cat-a', newEvents(2))
    await rm(`${path}-wal`)
    const says = `${path}-wal was deleted while it is in use: stop the portal, which saves what is in it, and start it again`
    await expect(store.check()).rejects.toThrow(says)
    await expect(record(store, 'cat-a', newEvents(1))).rejects.toThrow(says)
    await store.close()
    await using(openSqliteEventStore({ path }), async (reopened) => {
      expect(await record(reopened, 'cat-a', newEvents(1))).toMatchObject({ revision: 2 })
    })
  })

  test('ES-68 acknowledges nothing once it was found to be damaged, and names the remedy', async () => {
    const before = openSqliteEventStore({ path })
    for (let n = 0; n < 20; n++) await record(before, 'cat-a', [{ ...newEvent(), data: { text: 'x'.repeat(100_000) } }])
    await before.close()
    const [half, file] = [Math.floor(statSync(path).size / 2), await open(path, 'r+')]
    await file.write(Buffer.alloc(half - 65_536, 0xa5), 0, half - 65_536, 65_536)
    await file.close()
    await using(openSqliteEventStore({ path }), async (store) => {
      const says = `${path} is damaged (database disk image is malformed): stop the portal and restore a backup`
      await expect(readAll(store, 'cat-a')).rejects.toThrow(says)
      await expect(store.check()).rejects.toThrow(says)
      await expect(record(store, 'cat-new', newEvents(1))).rejects.toThrow(says)
    })
  })

  test('ES-69 its write-ahead log stays below 18 MiB, except during a long read', () =>
    using(openSqliteEventStore({ path }), async (store) => {
      const mib = 1024 * 1024
      const logBytes = () => statSync(`${path}-wal`).size
      const recordMib = async (count: number) => {
        let largest = 0
        for (let n = 0; n < count; n++) {
          await store.append('cat-a', 'any', [
            { id: randomUUID(), type: 'Large', data: { text: 'x'.repeat(1_000_000) } },
          ])
          largest = Math.max(largest, logBytes())
        }
        return largest
      }
      expect(await recordMib(50)).toBeLessThan(18 * mib)
      const reader = new DatabaseSync(path, { readOnly: true })
      reader.exec('BEGIN; SELECT count(*) FROM events')
      expect(await recordMib(30)).toBeGreaterThan(25 * mib)
      reader.close()
      await recordMib(3)
      expect(logBytes()).toBeLessThan(18 * mib)
    }))

  test('ES-62 rejects a file that is not an event store, and does not change it', async () => {
    await writeFile(path, 'Not a database, but a text that somebody may want to keep. '.repeat(100))
    const other = join(folder, 'other.db')
    const db = new DatabaseSync(other)
    db.exec('CREATE TABLE something (other TEXT)')
    db.close()
    for (const file of [path, other]) {
      const before = await readFile(file)
      expect(() => openSqliteEventStore({ path: file })).toThrow(`${file} is not an event store`)
      expect(() => openSqliteEventLog(file)).toThrow(`${file} is not an event store`)
      expect(await readFile(file)).toEqual(before)
    }
  })

  test('ES-62 rejects a newer format', async () => {
    await openSqliteEventStore({ path }).close()
    const db = new DatabaseSync(path)
    db.exec('PRAGMA user_version = 99')
    db.close()
    expect(() => openSqliteEventStore({ path })).toThrow('version 99')
    expect(() => openSqliteEventLog(path)).toThrow('version 99')
  })

  test('ES-63 rejects a position that this store did not make', () =>
    using(openSqliteEventStore({ path }), async (store) => {
      const { position } = await record(store, 'cat-a', newEvents(2))
      const behind = position.replace(/2$/, '3')
      expect((await pull(store, position).untilCaughtUp()).events).toEqual([])
      for (const unknown of [behind, '2', '', 'C:1/P:1', '00000000000000-1']) {
        // Positions come from a read model and may be any text.
        await expect(pull(store, unknown as Position).next()).rejects.toThrow(UnknownPositionError)
      }
    }))

  test('ES-64 a long read yields to other work', async () => {
    await using(openSqliteEventStore({ path }), async (store) => {
      for (let n = 0; n < 4; n++) await record(store, 'cat-a', newEvents(512))
    })
    await using(openSqliteEventStore({ path }), async (store) => {
      let turns = 0
      let isReading = true
      const count = (): void => {
        turns += 1
        if (isReading) setImmediate(count)
      }
      setImmediate(count)
      const subscription = pull(store)
      expect((await subscription.untilCaughtUp()).events).toHaveLength(2_048)
      expect(turns).toBeGreaterThanOrEqual(7)
      turns = 0
      expect(await readAll(store, 'cat-a')).toHaveLength(2_048)
      expect(turns).toBeGreaterThanOrEqual(7)
      isReading = false
      await subscription.stop()
    })
  })

  test('ES-65 rejects appends over the limit, and records those that wait', () =>
    using(openSqliteEventStore({ path: ':memory:' }), async (store) => {
      const answers = await Promise.allSettled(
        Array.from({ length: 10_003 }, () => store.append('cat-a', 'any', [newEvent()])),
      )
      expect(answers.filter((answer) => answer.status === 'fulfilled')).toHaveLength(10_000)
      const apiErrors = answers.slice(10_000).map((answer) => answer.status === 'rejected' && answer.reason)
      expect(apiErrors.map((reason) => reason instanceof StoreOverloadedError)).toEqual([true, true, true])
      expect(await record(store, 'cat-a', newEvents(1))).toMatchObject({ revision: 10_000 })
    }))

  test('ES-65 rejects appends over the limit of waiting bytes', () =>
    using(openSqliteEventStore({ path: ':memory:' }), async (store) => {
      const large = (): Promise<unknown> =>
        store.append('cat-a', 'any', [{ id: randomUUID(), type: 'Large', data: { text: 'x'.repeat(1_000_000) } }])
      const answers = await Promise.allSettled(Array.from({ length: 70 }, large))
      expect(answers.filter((answer) => answer.status === 'rejected')).toHaveLength(3)
    }))

  test('ES-66 rejects an id of another stream, even after reopening', async () => {
    const event = newEvent()
    const expectRefused = async (store: EventStore): Promise<void> => {
      for (const expected of ['any', 'no-stream', 5] as const) {
        await expect(store.append('cat-b', expected, [event])).rejects.toThrow(EventIdReusedError)
      }
      await expect(store.append('cat-b', 'any', [...newEvents(5), event])).rejects.toThrow(EventIdReusedError)
      expect(await readAll(store, 'cat-b')).toEqual([])
    }
    await using(openSqliteEventStore({ path }), async (store) => {
      await record(store, 'cat-a', [event])
      await expectRefused(store)
    })
    await using(openSqliteEventStore({ path }), async (store) => {
      await expectRefused(store)
      expect(await record(store, 'cat-b', newEvents(1))).toMatchObject({ revision: 0 })
    })
  })

  test('ES-36 a subscriber that is too far behind for the cache reads the table', () =>
    using(openSqliteEventStore({ path }), async (store) => {
      const subscription = pull(store)
      await subscription.untilCaughtUp()
      for (let n = 0; n < 30; n++) await record(store, 'cat-a', newEvents(100))
      const { events } = await subscription.untilCaughtUp()
      expect(events.map((event) => event.revision)).toEqual(events.map((_, n) => n))
      expect(events).toEqual(await readAll(store, 'cat-a'))
      await subscription.stop()
    }))
})
