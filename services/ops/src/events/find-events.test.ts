import { openSqliteEventStore } from '@portal/platform/event-store/sqlite'
import { systemClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { positionBefore } from '@portal/platform/event-store/sqlite/position'
import { type EventLog, findEvents } from './find-events.ts'
import { eventsQueryOf } from './query.ts'

const store = openSqliteEventStore({ path: ':memory:' })
afterAll(() => store.close())
beforeAll(async () => {
  for (let n = 0; n < 30; n++) {
    const event = { id: systemClockAndIds.newId(), type: n % 10 === 0 ? 'Tenth' : 'Other', data: { n } }
    await store.append(n % 2 === 0 ? 'even-1' : 'odd-1', 'any', [event])
  }
})

const find = async (environment: Record<string, string>) => {
  const { events, isCut } = await findEvents(store, eventsQueryOf(environment, new Date()))
  return { ns: events.map(({ data }) => (data as { n: number }).n), isCut, last: events.at(-1)?.position }
}

it('returns the newest events in log order, and whether there are older ones', async () => {
  expect(await find({ LIMIT: '3' })).toMatchObject({ ns: [27, 28, 29], isCut: true })
  expect(await find({ LIMIT: '30' })).toMatchObject({ isCut: false })
})

it('filters by stream, category and type', async () => {
  expect(await find({ STREAM: 'odd-1', LIMIT: '2' })).toMatchObject({ ns: [27, 29], isCut: true })
  expect(await find({ CATEGORY: 'even', LIMIT: '2' })).toMatchObject({ ns: [26, 28], isCut: true })
  expect(await find({ TYPE: 'Tenth' })).toMatchObject({ ns: [0, 10, 20], isCut: false })
  expect(await find({ STREAM: 'nothing-1' })).toMatchObject({ ns: [], isCut: false })
})

it('continues after a position, oldest first', async () => {
  const { last = '' } = await find({ TYPE: 'Tenth' })
  const next = await find({ AFTER: last, LIMIT: '2' })
  expect(next).toMatchObject({ ns: [21, 22], isCut: true })
  expect(await find({ AFTER: next.last ?? '' })).toMatchObject({ ns: [23, 24, 25, 26, 27, 28, 29], isCut: false })
  expect(await find({ AFTER: last, STREAM: 'even-1', LIMIT: '1' })).toMatchObject({ ns: [22], isCut: true })
})

it('omits events before SINCE', async () => {
  expect(await find({ SINCE: '2000-01-01', LIMIT: '2' })).toMatchObject({ ns: [28, 29] })
  expect(await find({ SINCE: '2100-01-01' })).toMatchObject({ ns: [] })
})

it('finds the same from a position near the end, without reading earlier events', async () => {
  const log = openSqliteEventStore({ path: ':memory:', now: () => new Date(Date.UTC(2026, 0, 1) + recorded++) })
  let recorded = 0
  onTestFinished(() => log.close())
  for (let n = 0; n < 9; n++) {
    const events = Array.from({ length: 1_000 }, (_, i) => ({
      id: systemClockAndIds.newId(),
      type: n === 0 && i === 0 ? 'First' : 'Other',
      data: {},
    }))
    await log.append('a-1', 'any', events)
  }
  let oldestRead = ''
  const watched: EventLog = {
    read: log.read,
    subscribe: (after, filter, signal) => {
      oldestRead = typeof after === 'string' ? after : after.position
      return log.subscribe(after, filter, signal)
    },
  }
  const lookBack = async (events: number) => positionBefore(await log.end(), events)
  for (const environment of [
    { LIMIT: '3' },
    { CATEGORY: 'a' },
    { TYPE: 'First' },
    { SINCE: '2026-01-01T00:00:08.999Z' },
  ]) {
    const query = eventsQueryOf(environment, new Date())
    const [found, same] = [await findEvents(watched, query, lookBack), await findEvents(log, query)]
    expect(found.events).toEqual(same.events)
    expect(found.isCut).toBe(same.isCut)
    expect(oldestRead).toBe('TYPE' in environment ? 'start' : positionBefore(await log.end(), 4_000))
  }
})
