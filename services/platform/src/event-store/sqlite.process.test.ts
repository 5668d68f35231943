import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { pull } from '@portal/platform/testing/event-store/contract/harness'
import { DataFolderInUseError } from './errors.ts'
import type { RecordedEvent } from './port.ts'
import { openSqliteEventLog, openSqliteEventStore } from './sqlite.ts'

const writerFile = fileURLToPath(new URL('../../testing/event-store/sqlite/acknowledging-writer.ts', import.meta.url))

let folder: string
let path: string
const children = new Set<ChildProcess>()

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'event-store-'))
  path = join(folder, 'events.db')
})
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  children.clear()
  await rm(folder, { recursive: true })
})

/** Starts a process that writes until it is killed. */
const startWriter = () => {
  const child = spawn(process.execPath, [writerFile, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.add(child)
  const exited = once(child, 'exit')
  const acknowledged: string[] = []
  const lines = createInterface({ input: child.stdout })
  const ended = once(lines, 'close')
  const waiting: { count: number; resolve: () => void }[] = []
  lines.on('line', (line) => {
    acknowledged.push(...line.split(' '))
    for (const one of waiting) if (acknowledged.length >= one.count) one.resolve()
  })
  return {
    /** Resolves once this many events have been acknowledged. */
    reaches: (count: number) =>
      Promise.race([
        new Promise<void>((resolve) => waiting.push({ count, resolve })),
        exited.then(() => Promise.reject(new Error('The writer ended by itself'))),
      ]),
    /** Kills it and returns the ids of all events acknowledged until then. */
    kill: async (): Promise<string[]> => {
      child.kill('SIGKILL')
      await Promise.all([exited, ended])
      children.delete(child)
      return acknowledged
    },
  }
}

const readLog = async (): Promise<RecordedEvent[]> => {
  const store = openSqliteEventStore({ path })
  const subscription = pull(store)
  const { events } = await subscription.untilCaughtUp()
  await subscription.stop()
  await store.close()
  return events
}

test('ES-14 acknowledged events survive repeated SIGKILL', async () => {
  const acknowledged: string[] = []
  for (const count of [1, 40, 333, 1_500]) {
    const writer = startWriter()
    await writer.reaches(count)
    acknowledged.push(...(await writer.kill()))

    const log = await readLog()
    const recorded = new Set(log.map((event) => event.id))
    expect(acknowledged.filter((id) => !recorded.has(id))).toEqual([])
    expect(recorded.size).toBe(log.length)
    for (const stream of new Set(log.map((event) => event.stream))) {
      const revisions = log.filter((event) => event.stream === stream).map((event) => event.revision)
      expect(revisions).toEqual(revisions.map((_, n) => n))
    }
  }
}, 60_000)

test('ES-61 another process can read but not write until the first one ends', async () => {
  const writer = startWriter()
  await writer.reaches(1)
  expect(() => openSqliteEventStore({ path })).toThrow(DataFolderInUseError)
  expect(() => openSqliteEventStore({ path })).toThrow(`${path} is in use by another process`)

  const log = openSqliteEventLog(path)
  const controller = new AbortController()
  const seen: RecordedEvent[] = []
  let caughtUp = 0
  for await (const item of log.subscribe('start', { categories: ['written'] }, controller.signal)) {
    if (item.kind === 'event') seen.push(item)
    else caughtUp += 1
    if (caughtUp >= 3 && seen.length > 500) controller.abort()
  }
  expect(seen.map((event) => event.position)).toEqual(seen.map((event) => event.position).toSorted())
  await log.close()

  await writer.kill()
  const recorded = await readLog()
  expect(recorded.slice(0, seen.length)).toEqual(seen)
}, 60_000)
