import { randomUUID } from 'node:crypto'
import { openSqliteEventStore } from '@portal/platform/event-store/sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { lagByLog } from './lag.ts'
import { judge } from './portal-status.ts'
import { displayAddressOf } from '../settings/engine-addresses.ts'

const recordedAt = new Date('2026-11-21T14:00:00.000Z')
const nowMs = recordedAt.getTime() + 90_000

const logWith = async (universities: number) => {
  const store = openSqliteEventStore({ path: ':memory:', now: () => recordedAt })
  onTestFinished(() => store.close())
  const events = Array.from({ length: universities }, (_, n) => ({
    id: randomUUID(),
    type: 'UniversityAdded',
    data: { universityId: randomUUID(), name: `University ${n}` },
  }))
  for (let from = 0; from < events.length; from += 1_000)
    await store.append('university-directory', 'any', events.slice(from, from + 1_000))
  // Irrelevant for consumers of the catalog.
  await store.append('operation-1', 'any', [{ id: randomUUID(), type: 'Other', data: {} }])
  return store
}
const at = (row: number) => String(row).padStart(16, '0')

it('is zero for a consumer that has handled all of its events', async () => {
  const lagOf = lagByLog(await logWith(3), nowMs)
  expect(await lagOf({ topics: ['catalog'], cursors: { '0': at(3) } })).toEqual({ events: 0, isAtLeast: false, ms: 0 })
  expect(await lagOf({ topics: ['auth'], cursors: {} })).toMatchObject({ events: 0 })
})

it('counts unhandled events and the age of the oldest one', async () => {
  const lagOf = lagByLog(await logWith(3), nowMs)
  expect(await lagOf({ topics: ['catalog'], cursors: { '0': at(1) } })).toEqual({
    events: 2,
    isAtLeast: false,
    ms: 90_000,
    oldest: at(2),
  })
  expect(await lagOf({ topics: ['catalog'], cursors: {} })).toMatchObject({ events: 3 })
  const withEventId = { '0': `${at(1)}#${randomUUID()}` }
  expect(await lagOf({ topics: ['catalog'], cursors: withEventId })).toMatchObject({ events: 2 })
})

it('excludes events applied since the cursor was saved', async () => {
  const lagOf = lagByLog(await logWith(3), nowMs)
  const isPending = ({ position }: { position: string }) => position > `${at(2)}:00`
  expect(await lagOf({ topics: ['catalog'], cursors: { '0': at(1) }, isPending })).toMatchObject({ events: 1 })
})

it('stops counting at ten thousand', async () => {
  const lagOf = lagByLog(await logWith(10_500), nowMs)
  expect(await lagOf({ topics: ['catalog'], cursors: {} })).toMatchObject({ events: 10_000, isAtLeast: true })
})

it('names an event that only a newer release can read, for its own consumers only', async () => {
  const store = await logWith(1)
  await store.append('university-directory', 'any', [{ id: randomUUID(), type: 'UniversityMerged', data: {} }])
  const lagOf = lagByLog(store, nowMs)
  const named =
    'Event type UniversityMerged of category university at position 0000000000000003 is unknown to this release'
  expect(await lagOf({ topics: ['catalog'], cursors: { '0': at(1) } })).toMatchObject({
    events: 1,
    standsBefore: expect.stringContaining(named),
  })
  expect(await lagOf({ topics: ['auth'], cursors: {} })).toEqual({ events: 0, isAtLeast: false, ms: 0 })
})

it('makes a portal unhealthy after a minute, dead letters do not', () => {
  const consumer = (ms: number) => ({
    consumer: 'inbox',
    kind: 'projection' as const,
    cursors: {},
    lag: { events: 1, isAtLeast: false, ms },
    parked: 7,
  })
  const seen = {
    isRunning: true,
    errors: [],
    engines: [],
    feeds: [],
    processes: [],
    discontinuities: [],
    isReplaying: false,
  }
  expect(judge({ ...seen, consumers: [consumer(60_000)] }).isHealthy).toBe(true)
  expect(judge({ ...seen, consumers: [consumer(60_001)] }).problems).toEqual([
    'The consumer inbox is more than 60 s behind',
  ])
  const gone = { process: 'auth', pid: 12, status: 'gone' } as const
  expect(judge({ ...seen, consumers: [], processes: [gone] }).problems).toEqual(['Process 12 of auth is gone'])
})

it('shows addresses without credentials', () => {
  expect(displayAddressOf('esdb://admin:changeit@es.example:2113?tls=true')).toBe('esdb://es.example:2113')
  expect(displayAddressOf('kafka://u:p@h1:9092,h2:9092?sasl=plain')).toBe('kafka://h1:9092,h2:9092')
  expect(displayAddressOf('sqlite:/data/events.db')).toBe('/data/events.db')
})
