import { randomUUID } from 'node:crypto'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import type { Publisher } from '../bus/publisher.ts'
import { createRelay } from '../bus/relay.ts'
import type { RecordedEvent } from '../event-store/port.ts'
import { openSqliteEventStore } from '../event-store/sqlite.ts'
import { type Decider, ok } from './decider.ts'
import { handleCommand, loadState } from './handle-command.ts'
import { storedEventReader, type Upcaster } from './stored-event.ts'

/**
 * A category with a history of three shapes: `RoomNamed {name}`, renamed to `RoomOpened {name}`, which then became
 * `RoomOpened {title, seats}`.
 */
const schema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('RoomOpened'), data: z.object({ title: z.string(), seats: z.number().int() }) }),
])
type RoomEvent = z.infer<typeof schema>

const namedSchema = z.object({ name: z.string() })

const renamed: Upcaster = ({ type, data }) => (type === 'RoomNamed' ? { type: 'RoomOpened', data } : undefined)
const withTitle: Upcaster = ({ type, data }) => {
  const former = type === 'RoomOpened' ? namedSchema.safeParse(data) : undefined
  return former?.success ? { type, data: { title: former.data.name, seats: 0 } } : undefined
}

const rooms: Decider<readonly string[], RoomEvent['data'], RoomEvent, never> = {
  category: 'room',
  initial: [],
  decide: (data) => ok([{ type: 'RoomOpened', data }]),
  evolve: (titles, { data }) => [...titles, `${data.title} (${data.seats})`],
  parse: storedEventReader(schema, [renamed, withTitle]),
}
const publisher: Publisher = {
  category: 'room',
  topics: ['catalog'],
  publish: (recorded) => [{ topic: 'catalog', key: 'rooms', ...rooms.parse(recorded) }],
}

const stored = [
  { type: 'RoomNamed', data: { name: 'Attic' } },
  { type: 'RoomOpened', data: { name: 'Cellar' } },
  { type: 'RoomOpened', data: { title: 'Hall', seats: 90 } },
]

const storeWithHistory = async () => {
  const store = openSqliteEventStore({ path: ':memory:' })
  onTestFinished(() => store.close())
  await store.append(
    'room-1',
    'no-stream',
    stored.map((event) => ({ id: randomUUID(), ...event })),
  )
  return store
}

it('folds events of every former shape, and records new events in the newest', async () => {
  const store = await storeWithHistory()
  const { state } = await loadState(store, rooms, '1')
  expect(state).toEqual(['Attic (0)', 'Cellar (0)', 'Hall (90)'])
  const handled = await handleCommand(store, rooms, '1', { title: 'Roof', seats: 4 }, { eventId: () => randomUUID() })
  expect(handled).toMatchObject({ ok: true, value: { state: [...state, 'Roof (4)'], revision: 3 } })
})

it('publishes events of every former shape in the newest', async () => {
  const store = await storeWithHistory()
  const relay = createRelay([publisher])
  const events: RecordedEvent[] = []
  for await (const event of store.read('room-1')) events.push(event)
  expect(events.flatMap((event) => relay.translate(event)).map(({ type, data }) => ({ type, data }))).toEqual([
    { type: 'RoomOpened', data: { title: 'Attic', seats: 0 } },
    { type: 'RoomOpened', data: { title: 'Cellar', seats: 0 } },
    { type: 'RoomOpened', data: { title: 'Hall', seats: 90 } },
  ])
  // The recorded log does not change.
  expect(events.map(({ type, data }) => ({ type, data }))).toEqual(stored)
})

it('still rejects an event that no upcaster knows', () => {
  expect(() => rooms.parse({ type: 'RoomClosed', data: {} })).toThrow('Unknown event type RoomClosed')
  expect(() => rooms.parse({ type: 'RoomOpened', data: { seats: 1 } })).toThrow(z.ZodError)
})
