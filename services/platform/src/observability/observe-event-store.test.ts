import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { EventStore, NewEvent, RecordedEvent } from '../event-store/port.ts'
import { openSqliteEventStore } from '../event-store/sqlite.ts'
import { createMetrics, type Metrics } from './metrics/metrics.ts'
import { observeEventStore } from './observe-event-store.ts'
import { startOpenTelemetry } from './tracing/open-telemetry.ts'
import { noTracing, type Tracing } from './tracing/tracing.ts'

let folder: string
let store: EventStore
let metrics: Metrics
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'observed-'))
  store = openSqliteEventStore({ path: join(folder, 'events.db') })
  metrics = createMetrics()
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const newEvent = (metadata?: NewEvent['metadata']): NewEvent => ({
  id: randomUUID(),
  type: 'Happened',
  data: {},
  ...(metadata && { metadata }),
})

const metadataAfter = async (tracing: Tracing, append: (observed: EventStore) => Promise<unknown>) => {
  await append(observeEventStore(store, { metrics, tracing }))
  const events: RecordedEvent[] = []
  for await (const event of store.read('thing-1')) events.push(event)
  return events.map(({ metadata }) => metadata)
}

/** Opens tracing without a collector. It is never closed, because nothing waits for it. */
const tracingOf = (ratio: number): Tracing =>
  startOpenTelemetry({ endpoint: 'http://127.0.0.1:9', ratio, serviceName: 'test', logger: pino({ level: 'silent' }) })

const withinRequest = (tracing: Tracing, append: () => Promise<unknown>): Promise<unknown> =>
  tracing.within(tracing.start('POST /things', { isRoot: true }), append)

it('adds the traceparent to the events of a sampled request', async () => {
  const tracing = tracingOf(1)
  const metadata = await metadataAfter(tracing, (observed) =>
    withinRequest(tracing, () => observed.append('thing-1', 'any', [newEvent({ actorId: 'me' }), newEvent()])),
  )
  const traceparent = expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
  expect(metadata).toEqual([{ actorId: 'me', traceparent }, { traceparent }])
})

it('does not change events without a request, without tracing, and if the trace is not kept', async () => {
  const append = (observed: EventStore) => observed.append('thing-1', 'any', [newEvent()])
  const ofRequest = (tracing: Tracing) =>
    metadataAfter(tracing, (observed) => withinRequest(tracing, () => append(observed)))
  expect(await metadataAfter(tracingOf(1), append)).toEqual([{}])
  expect(await ofRequest(noTracing)).toEqual([{}, {}])
  expect(await ofRequest(tracingOf(0))).toEqual([{}, {}, {}])
})

it('counts appends by outcome, and times reads to their end', async () => {
  const observed = observeEventStore(store, { metrics, tracing: noTracing })
  await observed.append('thing-1', 'no-stream', [newEvent(), newEvent()])
  await observed.append('thing-1', 'no-stream', [newEvent()])
  await expect(observed.append('no name', 'any', [newEvent()])).rejects.toThrow('Not a stream name')
  for await (const event of observed.read('thing-1')) if (event.revision === 0) break
  for await (const event of observed.read('thing-1')) expect(event.type).toBe('Happened')
  const { text } = await metrics.scrape()
  const lines = text.split('\n')
  for (const outcome of ['appended', 'conflict', 'failed'])
    expect(lines).toContain(`portal_event_store_append_duration_seconds_count{outcome="${outcome}"} 1`)
  expect(lines).toContain('portal_event_store_events_appended_total 2')
  expect(lines).toContain('portal_event_store_read_duration_seconds_count 2')
})
