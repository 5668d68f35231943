import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { StoreClosedError, UnknownPositionError } from '../event-store/errors.ts'
import type { EventStore, RecordedEvent } from '../event-store/port.ts'
import { openSqliteEventStore } from '../event-store/sqlite.ts'
import { readLogToEnd } from '../event-store/read-log-to-end.ts'
import { collect } from '../../testing/backup/sample-backup.ts'
import { archiveLog, openArchivedLog } from './archived-log.ts'

let folder: string
let store: EventStore
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archive-'))
  store = openSqliteEventStore({ path: ':memory:' })
})
afterEach(async () => {
  await store.close()
  await rm(folder, { recursive: true })
})

const idOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const record = async (events: number): Promise<readonly RecordedEvent[]> => {
  for (let n = 0; n < events; n++) {
    const metadata = n % 2 === 0 ? { actorId: 'me', occurredAt: '2026-01-01T00:00:00.000Z' } : {}
    await store.append(`${n % 3 === 0 ? 'note' : 'other'}-${n % 5}`, 'any', [
      { id: idOf(n), type: 'Noted', data: { n, deep: ['ü', null] }, metadata },
    ])
  }
  return collect(readLogToEnd(store))
}
const archived = async () => {
  const path = join(folder, 'events.db')
  const end = await archiveLog({ log: store, path, signal: new AbortController().signal })
  return { end, log: openArchivedLog(path) }
}

describe('an archive', () => {
  it('contains every event unchanged, and the end', async () => {
    const events = await record(700)
    const { end, log } = await archived()
    const last = events.at(-1)
    expect(end).toEqual({ events: 700, end: { position: last?.position, eventId: last?.id } })
    expect(await collect(readLogToEnd(log))).toEqual(events)
    expect(await log.end()).toBe(last?.position)
    expect(await collect(log.read('note-0'))).toEqual(await collect(store.read('note-0')))
    expect(await collect(log.read('note-0', 3))).toEqual(await collect(store.read('note-0', 3)))
    await log.close()
  })

  it('of an empty log is empty', async () => {
    const { end, log } = await archived()
    expect(end).toEqual({ events: 0, end: null })
    expect(await log.end()).toBe('start')
    expect(await collect(readLogToEnd(log))).toEqual([])
    await log.close()
  })

  it('can be subscribed to from a position, by category', async () => {
    const events = await record(40)
    const { log } = await archived()
    const tenth = events[9]
    if (tenth === undefined) throw new Error('There are 40')
    const after = { position: tenth.position, eventId: tenth.id }
    expect(await collect(readLogToEnd(log, after))).toEqual(events.slice(10))
    expect(await collect(readLogToEnd(log, 'start', { categories: ['note'] }))).toEqual(
      events.filter(({ stream }) => stream.startsWith('note-')),
    )
    expect(await log.holds(after)).toBe(true)
    expect(await log.holds({ ...after, eventId: idOf(999) })).toBe(false)
    await log.close()
  })

  it('rejects unknown positions', async () => {
    const events = await record(3)
    const { log } = await archived()
    const position = events[2]?.position ?? 'start'
    await record(4)
    const end = await store.end()
    await expect(collect(readLogToEnd(log, end))).rejects.toThrow(UnknownPositionError)
    if (position === 'start') throw new Error('There are 3')
    await expect(collect(readLogToEnd(log, { position, eventId: idOf(999) }))).rejects.toThrow(UnknownPositionError)
    await log.close()
    await expect(log.end()).rejects.toThrow(StoreClosedError)
  })

  it('ends its subscriptions when it is closed', async () => {
    await record(3)
    const { log } = await archived()
    const kinds: string[] = []
    for await (const item of log.subscribe('start', 'all', new AbortController().signal)) {
      kinds.push(item.kind)
      if (item.kind === 'caught-up') void log.close()
    }
    expect(kinds).toEqual(['event', 'event', 'event', 'caught-up'])
  })
})

it('another file is not an archive', async () => {
  const path = join(folder, 'other.db')
  openSqliteEventStore({ path }).close()
  expect(() => openArchivedLog(path)).toThrow('is not an archive of an event log')
  await writeFile(path, 'text')
  expect(() => openArchivedLog(path)).toThrow('not a database')
})
