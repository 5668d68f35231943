import { envelopeSchema, eventTime } from '@portal/contracts/shared/event-envelope'
import { expect, it } from 'vitest'
import { UnknownEventTypeError } from '../decider/stored-event.ts'
import type { Position, RecordedEvent } from '../event-store/port.ts'
import type { OutgoingMessage, Publisher } from './publisher.ts'
import { createRelay, messagePosition } from './relay.ts'
import { UnreadableEventError } from './unreadable-event.ts'

const recorded = (overrides: Partial<RecordedEvent> = {}): RecordedEvent => ({
  kind: 'event',
  position: '0000000000000042' as Position,
  stream: 'user-1-2',
  revision: 0,
  id: '0199a2b0-0000-7000-8000-000000000001',
  type: 'Renamed',
  data: { name: 'x' },
  metadata: {},
  at: '2026-11-21T10:00:00.000Z',
  ...overrides,
})
const message = (key: string): OutgoingMessage => ({ topic: 'auth', key, type: 'UserRenamed', data: { key } })
const publisher = (category: string, messages: readonly OutgoingMessage[]): Publisher => ({
  category,
  topics: ['auth', 'notifications'],
  publish: () => messages,
})

it('gives each message its own id and position, the same every time', () => {
  const relay = createRelay([publisher('user', [message('a'), message('b')])])
  const envelopes = relay.translate(recorded({ metadata: { correlationId: 'request-1', actorId: 'someone' } }))
  expect(envelopes).toEqual([
    {
      id: '0199a2b0-0000-7000-8000-000000000001:0',
      topic: 'auth',
      key: 'a',
      position: '0000000000000042:00',
      type: 'UserRenamed',
      at: '2026-11-21T10:00:00.000Z',
      correlationId: 'request-1',
      actorId: 'someone',
      data: { key: 'a' },
    },
    expect.objectContaining({ id: '0199a2b0-0000-7000-8000-000000000001:1', position: '0000000000000042:01' }),
  ])
  expect(relay.translate(recorded()).map(({ id }) => id)).toEqual(envelopes.map(({ id }) => id))
  for (const envelope of envelopes) expect(envelopeSchema.parse(envelope)).toEqual(envelope)
})

it('passes on occurredAt of an event that happened before it was recorded', () => {
  const relay = createRelay([publisher('user', [message('a')])])
  const occurredAt = '2026-11-09T08:00:00.000Z'
  const [imported] = relay.translate(recorded({ metadata: { occurredAt } }))
  expect(imported).toMatchObject({ at: '2026-11-21T10:00:00.000Z', occurredAt })
  expect(imported && eventTime(imported)).toBe(occurredAt)
  const [usual] = relay.translate(recorded())
  expect(usual && eventTime(usual)).toBe('2026-11-21T10:00:00.000Z')
})

it('calls all publishers of the category, and none for other categories', () => {
  const relay = createRelay([
    publisher('user', [message('a')]),
    publisher('user', [message('b')]),
    publisher('session', [message('c')]),
  ])
  expect(relay.categories).toEqual(['user', 'session'])
  expect(relay.translate(recorded()).map(({ key, position }) => [key, position.slice(-2)])).toEqual([
    ['a', '00'],
    ['b', '01'],
  ])
  expect(relay.translate(recorded({ stream: 'campaign-1' }))).toEqual([])
})

it('orders positions as text within and between events', () => {
  const [first, second] = ['0000000000000009', '0000000000000010'] as Position[]
  if (first === undefined || second === undefined) throw new Error('Two positions are above')
  const positions = [
    messagePosition(first),
    messagePosition(first, 9),
    messagePosition(first, 10),
    messagePosition(second),
  ]
  expect(positions.toSorted()).toEqual(positions)
})

it('rejects an event with more messages than a position can number', () => {
  const relay = createRelay([
    publisher(
      'user',
      Array.from({ length: 101 }, () => message('a')),
    ),
  ])
  expect(() => relay.translate(recorded())).toThrow('101 messages')
})

const failing = (error: Error): Publisher => ({
  category: 'user',
  topics: ['auth'],
  publish: () => {
    throw error
  },
})

it('names the type, category and position of an event that a newer release recorded', () => {
  const relay = createRelay([failing(new UnknownEventTypeError('Renamed'))])
  expect(() => relay.translate(recorded(), ['auth', 'catalog'])).toThrow(
    'Event type Renamed of category user at position 0000000000000042 is unknown to this release',
  )
  expect(() => relay.translate(recorded())).toThrow(UnreadableEventError)
})

it('names the type of an event whose data does not fit', () => {
  expect(() => createRelay([failing(new TypeError('no name'))]).translate(recorded())).toThrow(
    /^Event type Renamed of category user .* has data that this release cannot read$/,
  )
})

it('does not read an event whose category publishes to none of the topics', () => {
  const relay = createRelay([failing(new UnknownEventTypeError('Renamed'))])
  expect(relay.translate(recorded(), ['catalog', 'notifications'])).toEqual([])
})
