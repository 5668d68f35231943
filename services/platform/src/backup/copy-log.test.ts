import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { pull } from '@portal/platform/testing/event-store/contract/harness'
import { DataFolderInUseError } from '../event-store/errors.ts'
import type { EventStore } from '../event-store/port.ts'
import { openSqliteEventLog, openSqliteEventStore } from '../event-store/sqlite.ts'
import { copyLog, CopyMismatchError } from './copy-log.ts'
import { sqliteCopyTarget } from './copy-targets.ts'
import { recordSomeHistory } from '../../testing/backup/sample-backup.ts'

const never = new AbortController().signal

const newLogs = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'copy-log-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  let minute = 0
  const source = openSqliteEventStore({
    path: join(folder, 'source', 'events.db'),
    now: () => new Date(Date.UTC(2025, 0, 1, 0, minute++)),
  })
  onTestFinished(() => source.close())
  return { source, targetPath: join(folder, 'target', 'events.db') }
}

const eventsOf = async (log: Pick<EventStore, 'subscribe'>) => {
  const subscription = pull(log)
  const { events } = await subscription.untilCaughtUp()
  await subscription.stop()
  return events
}
const eventsIn = async (path: string) => {
  const log = openSqliteEventLog(path)
  const events = await eventsOf(log)
  await log.close()
  return events
}
const copyInto = async (
  path: string,
  from: Pick<EventStore, 'subscribe'>,
  more: Partial<Parameters<typeof copyLog>[0]> = {},
) => {
  const to = sqliteCopyTarget(path)
  try {
    return await copyLog({ from, to, signal: never, ...more })
  } finally {
    await to.close()
  }
}

test('RS-1 a copy in a file has the same order, ids, revisions, data, metadata, times and positions', async () => {
  const { source, targetPath } = await newLogs()
  await recordSomeHistory(source, 700)
  const before = await eventsOf(source)
  expect(await copyInto(targetPath, source)).toEqual({ events: before.length, compared: 0 })
  expect(await eventsIn(targetPath)).toEqual(before)
})

test('RS-1 the copy accepts appends after the end of the log', async () => {
  const { source, targetPath } = await newLogs()
  await recordSomeHistory(source, 40)
  await copyInto(targetPath, source)
  const store = openSqliteEventStore({ path: targetPath })
  const last = (await eventsOf(source)).at(-1)
  if (last === undefined) throw new Error('There is no history')
  const event = { id: '01980000-0000-7000-8000-000000000001', type: 'Noted', data: { n: 1 } }
  expect(await store.append(last.stream, last.revision, [event])).toMatchObject({
    kind: 'appended',
    revision: last.revision + 1,
  })
  await store.close()
})

test('RS-1 an empty log is copied as an empty log', async () => {
  const { source, targetPath } = await newLogs()
  expect(await copyInto(targetPath, source)).toEqual({ events: 0, compared: 0 })
  expect(await eventsIn(targetPath)).toEqual([])
})

test('RS-2 an interrupted copy resumes', async () => {
  const { source, targetPath } = await newLogs()
  await recordSomeHistory(source, 900)
  const stopped = new AbortController()
  const onCopied = () => stopped.abort(new Error('interrupted'))
  await expect(copyInto(targetPath, source, { signal: stopped.signal, onCopied })).rejects.toThrow('interrupted')
  const half = (await eventsIn(targetPath)).length
  const all = await eventsOf(source)
  expect(half).toBeGreaterThan(0)
  expect(half).toBeLessThan(all.length)
  expect(await copyInto(targetPath, source)).toEqual({ events: all.length, compared: half })
  expect(await copyInto(targetPath, source)).toEqual({ events: all.length, compared: all.length })
  expect(await eventsIn(targetPath)).toEqual(all)
})

test('RS-2 a target with another log is rejected and unchanged', async () => {
  const [{ source, targetPath }, { source: other }] = [await newLogs(), await newLogs()]
  await recordSomeHistory(source, 20)
  await recordSomeHistory(other, 30)
  await copyInto(targetPath, source)
  const before = await eventsIn(targetPath)
  await expect(copyInto(targetPath, other)).rejects.toThrow(CopyMismatchError)
  expect(await eventsIn(targetPath)).toEqual(before)
})

test('RS-2 a target with more events than the source is rejected', async () => {
  const { source, targetPath } = await newLogs()
  await recordSomeHistory(source, 5)
  await copyInto(targetPath, source)
  const { source: empty } = await newLogs()
  await expect(copyInto(targetPath, empty)).rejects.toThrow(/holds events that the source lacks/)
})

test('RS-1 the target must not be in use by another process', async () => {
  const { source, targetPath } = await newLogs()
  const store = openSqliteEventStore({ path: targetPath })
  await expect(copyInto(targetPath, source)).rejects.toThrow(DataFolderInUseError)
  await store.close()
})
