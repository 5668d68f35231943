/** @module-tag verify */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { pull } from '@portal/platform/testing/event-store/contract/harness'
import { openEventStoreDb } from '../event-store/eventstoredb.ts'
import type { EventStore, RecordedEvent } from '../event-store/port.ts'
import { openSqliteEventLog, openSqliteEventStore } from '../event-store/sqlite.ts'
import { serversUnderTest } from '@portal/platform/testing/event-store/servers'
import { copyLog } from './copy-log.ts'
import { eventStoreCopyTarget, sqliteCopyTarget } from './copy-targets.ts'
import { recordSomeHistory } from '../../testing/backup/sample-backup.ts'

const never = new AbortController().signal

const eventsOf = async (log: Pick<EventStore, 'subscribe'>) => {
  const subscription = pull(log)
  const { events } = await subscription.untilCaughtUp()
  await subscription.stop()
  return events
}
const ownParts = ({ id, stream, revision, type, data }: RecordedEvent) => ({ id, stream, revision, type, data })
const happenedAt = ({ at, metadata }: RecordedEvent) => metadata.occurredAt ?? at

describe.each(serversUnderTest)('a log copied into EventStoreDB, %s', (_name, startServer) => {
  const newPlaces = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'copy-log-'))
    const server = await startServer()
    onTestFinished(async () => {
      await server.stop()
      await rm(folder, { recursive: true })
    })
    const source = openSqliteEventStore({ path: join(folder, 'events.db') })
    onTestFinished(() => source.close())
    const open = async () => {
      const store = await openEventStoreDb({ url: server.url })
      onTestFinished(() => store.close())
      return store
    }
    return { folder, source, open }
  }

  test('RS-3 has the same events, order and times in both directions', async () => {
    const { folder, source, open } = await newPlaces()
    await recordSomeHistory(source, 120)
    const before = await eventsOf(source)
    const store = await open()
    await copyLog({ from: source, to: eventStoreCopyTarget(store), signal: never })
    const there = await eventsOf(await open())
    expect(there.map(ownParts)).toEqual(before.map(ownParts))
    expect(there.map(happenedAt)).toEqual(before.map(happenedAt))

    const path = join(folder, 'back', 'events.db')
    const target = sqliteCopyTarget(path)
    await copyLog({ from: store, to: target, signal: never })
    await target.close()
    const log = openSqliteEventLog(path)
    const back = await eventsOf(log)
    await log.close()
    expect(back.map(ownParts)).toEqual(before.map(ownParts))
    expect(back.map(happenedAt)).toEqual(before.map(happenedAt))
    expect(back.map(({ position }) => position)).toEqual(back.map(({ position }) => position).toSorted())
  })

  test('RS-2 resumes an interrupted copy', async () => {
    const { source, open } = await newPlaces()
    await recordSomeHistory(source, 200)
    const all = await eventsOf(source)
    const stopped = new AbortController()
    const onCopied = () => stopped.abort(new Error('interrupted'))
    const copying = copyLog({
      from: source,
      to: eventStoreCopyTarget(await open()),
      signal: stopped.signal,
      onCopied,
    })
    await expect(copying).rejects.toThrow('interrupted')
    const copied = await copyLog({ from: source, to: eventStoreCopyTarget(await open()), signal: never })
    expect(copied.events).toBe(all.length)
    expect(copied.compared).toBeGreaterThan(0)
    expect((await eventsOf(await open())).map(ownParts)).toEqual(all.map(ownParts))
  })
})
