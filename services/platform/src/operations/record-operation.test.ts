import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { EventStore, RecordedEvent } from '../event-store/port.ts'
import { openSqliteEventLog, openSqliteEventStore } from '../event-store/sqlite.ts'
import { createLogger } from '../observability/logger.ts'
import { appendOperation, type Operation } from './operation.ts'
import { recordFromSpool, recordOperation, spoolFolderIn, startRecordingFromSpool } from './record-operation.ts'
import { writeToSpool } from './spool.ts'
import { until } from '../../testing/until.ts'

const logger = createLogger({ level: 'silent' })
const retried: Operation = {
  type: 'DeadLettersRetried',
  data: { by: 'root', what: { projections: ['inbox'], limit: 100, applied: 3, failed: 1 } },
}
const id = '0197a8f0-0000-7000-8000-000000000001'
const laterId = '0197a8f0-0000-7000-8000-000000000002'

let dataDir: string
let config: { readonly environment: 'test'; readonly dataDir: string; readonly eventStoreUrl: string }
const opened: EventStore[] = []
const openStore = (): EventStore => {
  const store = openSqliteEventStore({ path: join(dataDir, 'events.db') })
  opened.push(store)
  return store
}
const recorded = async (): Promise<readonly RecordedEvent[]> => {
  const log = openSqliteEventLog(join(dataDir, 'events.db'))
  const events: RecordedEvent[] = []
  for await (const event of log.subscribe('start', 'all', new AbortController().signal)) {
    if (event.kind === 'caught-up') break
    events.push(event)
  }
  await log.close()
  return events
}
const spooled = (): readonly string[] => readdirSync(spoolFolderIn(dataDir))

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'operations-'))
  config = { environment: 'test', dataDir, eventStoreUrl: `sqlite:${join(dataDir, 'events.db')}` }
})
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
  rmSync(dataDir, { recursive: true })
})

it('records at once if no process owns the event store', async () => {
  expect(await recordOperation(config, retried, id)).toBe('recorded')
  expect(await recorded()).toMatchObject([{ stream: `operation-${id}`, ...retried }])
  expect(spooled()).toEqual([])
  const [line] = readFileSync(join(dataDir, 'security.log'), 'utf8').split('\n')
  expect(JSON.parse(line ?? '')).toMatchObject({
    event: 'operation-run',
    target: retried.type,
    operator: retried.data.by,
  })
})

it('spools for the portal that owns the event store, which records it', async () => {
  const store = openStore()
  expect(await recordOperation(config, retried, id)).toBe('spooled')
  expect(await recorded()).toEqual([])

  const recording = startRecordingFromSpool(dataDir, store, logger)
  await until(async () => expect(await recorded()).toHaveLength(1))
  expect(await recordOperation(config, retried, laterId)).toBe('spooled')
  await until(async () => expect(await recorded()).toHaveLength(2))
  await recording.stop()
  expect(spooled()).toEqual([])
})

it('records once if the portal is killed between append and removal', async () => {
  const store = openStore()
  writeToSpool(spoolFolderIn(dataDir), id, { id, operation: retried })
  await appendOperation(store, { id, operation: retried })
  expect(await recordFromSpool(spoolFolderIn(dataDir), store, logger)).toBe(1)
  expect(await recorded()).toHaveLength(1)
  expect(spooled()).toEqual([])
})

it('keeps the file in the spool if the append fails, for the next process', async () => {
  writeToSpool(spoolFolderIn(dataDir), id, { id, operation: retried })
  const failing = { append: () => Promise.reject(new Error('disk full')) }
  await expect(recordFromSpool(spoolFolderIn(dataDir), failing, logger)).rejects.toThrow('disk full')
  expect(spooled()).toEqual([`${id}.json`])
  expect(await recordOperation(config, retried, laterId)).toBe('recorded')
  expect((await recorded()).map(({ stream }) => stream)).toEqual([`operation-${id}`, `operation-${laterId}`])
})

it('ignores incomplete files, and sets malformed ones aside', async () => {
  const store = openStore()
  writeToSpool(spoolFolderIn(dataDir), laterId, { id: laterId, operation: retried })
  writeFileSync(join(spoolFolderIn(dataDir), `${id}.json.123.tmp`), '{"id"')
  writeFileSync(join(spoolFolderIn(dataDir), `${id}.json`), '{"id"')
  expect(await recordFromSpool(spoolFolderIn(dataDir), store, logger)).toBe(1)
  expect((await recorded()).map(({ stream }) => stream)).toEqual([`operation-${laterId}`])
  expect(spooled().toSorted()).toEqual([`${id}.json.123.tmp`, `${id}.json.refused`])
})

it('requires a reason for showing personal data', async () => {
  const what = { command: 'events', filter: {}, events: 1, userIds: [] }
  const shown: Operation = { type: 'PersonalDataShown', data: { by: 'root', reason: ' ', what } }
  await expect(recordOperation(config, shown)).rejects.toThrow('reason')
})
