import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { EventIdReusedError } from '../event-store/errors.ts'
import type { EventStore, NewEvent, RecordedEvent } from '../event-store/port.ts'
import { openSqliteEventStore } from '../event-store/sqlite.ts'
import { type Decider, ok, rejected } from './decider.ts'
import { eventIdsOf } from './event-id.ts'
import { ConcurrencyError, handleCommand, loadState } from './handle-command.ts'

type Command = { readonly kind: 'take'; readonly seats: number; readonly split?: boolean } | { readonly kind: 'look' }
type SeatsTaken = { readonly type: 'SeatsTaken'; readonly data: { readonly seats: number } }
type Full = { readonly code: 'full'; readonly left: number }

const allSeats = 40

/** Seats in a room: never more are taken than exist. */
const room: Decider<number, Command, SeatsTaken, Full> = {
  category: 'room',
  initial: 0,
  decide: (command, taken) => {
    if (command.kind === 'look') return ok([])
    if (taken + command.seats > allSeats) return rejected({ code: 'full', left: allSeats - taken })
    const seatsOf = (seats: number): SeatsTaken => ({ type: 'SeatsTaken', data: { seats } })
    return ok(
      command.split === true ? Array.from({ length: command.seats }, () => seatsOf(1)) : [seatsOf(command.seats)],
    )
  },
  evolve: (taken, event) => taken + event.data.seats,
  parse: ({ type, data }) => {
    if (type !== 'SeatsTaken' || typeof data !== 'object' || data === null || !('seats' in data)) {
      throw new TypeError(`Unknown event ${type}`)
    }
    if (typeof data.seats !== 'number' || data.seats < 0) throw new TypeError('Seats is a number')
    return { type, data: { seats: data.seats } }
  },
}

const random = { eventId: () => randomUUID() }
const repeatable = (commandId: string) => ({
  eventId: eventIdsOf(commandId),
})
const take = (seats: number, split = false): Command => ({ kind: 'take', seats, split })

let store: EventStore
beforeEach(() => {
  store = openSqliteEventStore({ path: ':memory:' })
})
afterEach(() => store.close())

const recorded = async (): Promise<RecordedEvent[]> => {
  const events: RecordedEvent[] = []
  for await (const event of store.read('room-1')) events.push(event)
  return events
}

/** The same store, but another process takes a seat before each of the first appends. */
const withRival = (rounds: number): EventStore => {
  let left = rounds
  return {
    ...store,
    append: async (stream, expected, events) => {
      if (left > 0) {
        left -= 1
        await store.append(stream, 'any', [{ id: randomUUID(), type: 'SeatsTaken', data: { seats: 1 } }])
      }
      return store.append(stream, expected, events)
    },
  }
}

/** The same store, but another process takes a seat and runs the same command before the first append. */
const withConcurrentRun = (command: Command, options: { readonly eventId: (index: number) => string }): EventStore => {
  let isFirst = true
  return {
    ...store,
    append: async (stream, expected, events) => {
      if (isFirst) {
        isFirst = false
        await store.append(stream, 'any', [{ id: randomUUID(), type: 'SeatsTaken', data: { seats: 1 } }])
        await handleCommand(store, room, '1', command, options)
      }
      return store.append(stream, expected, events)
    },
  }
}

describe('handling a command', () => {
  test('returns the state of the stream if a concurrent run of the command was recorded after other events', async () => {
    const command = take(2)
    const handled = await handleCommand(
      withConcurrentRun(command, repeatable('c1')),
      room,
      '1',
      command,
      repeatable('c1'),
    )
    expect(handled).toMatchObject(ok({ state: 3, revision: 1, isRepetition: true }))
    expect(await recorded()).toHaveLength(2)
  })

  test('records the decided events and returns them', async () => {
    const handled = await handleCommand(store, room, '1', take(2, true), random)
    const event = { type: 'SeatsTaken', data: { seats: 1 } }
    expect(handled).toEqual(
      ok({ events: [event, event], state: 2, revision: 1, position: await store.end(), isRepetition: false }),
    )
    expect(await recorded()).toMatchObject([
      { stream: 'room-1', revision: 0, ...event, metadata: {} },
      { stream: 'room-1', revision: 1, ...event, metadata: {} },
    ])
  })

  test('decides on the recorded state', async () => {
    await handleCommand(store, room, '1', take(30), random)
    await handleCommand(store, room, '2', take(1), random)
    expect(await handleCommand(store, room, '1', take(20), random)).toEqual(rejected({ code: 'full', left: 10 }))
    expect(await handleCommand(store, room, '1', take(10), random)).toMatchObject(ok({ state: 40, revision: 1 }))
  })

  test('appends nothing if no event was decided', async () => {
    const nothing = { events: [], position: undefined, isRepetition: false }
    expect(await handleCommand(store, room, '1', { kind: 'look' }, random)).toEqual(
      ok({ ...nothing, state: 0, revision: 'no-stream' }),
    )
    await handleCommand(store, room, '1', take(3), random)
    expect(await handleCommand(store, room, '1', { kind: 'look' }, random)).toEqual(
      ok({ ...nothing, state: 3, revision: 0 }),
    )
    expect(await recorded()).toHaveLength(1)
  })

  test('appends nothing when the command is rejected', async () => {
    expect(await handleCommand(store, room, '1', take(41), random)).toMatchObject({ ok: false })
    expect(await store.end()).toBe('start')
  })

  test('records the metadata', async () => {
    const metadata = { actorId: 'me', correlationId: 'request' }
    await handleCommand(store, room, '1', take(2, true), { ...random, metadata })
    expect((await recorded()).map((event) => event.metadata)).toEqual([metadata, metadata])
  })

  test('decides again after a conflict', async () => {
    expect(await handleCommand(withRival(2), room, '1', take(5), random)).toMatchObject(ok({ state: 7, revision: 2 }))
    expect(await handleCommand(withRival(1), room, '1', take(33), random)).toEqual(rejected({ code: 'full', left: 32 }))
  })

  test('throws ConcurrencyError after repeated conflicts', async () => {
    await expect(handleCommand(withRival(99), room, '1', take(1), random)).rejects.toThrow(ConcurrencyError)
    expect(await recorded()).toHaveLength(5)
    await expect(handleCommand(withRival(99), room, '1', take(1), { ...random, maxAttempts: 2 })).rejects.toThrow(
      'room-1 changed during each of 2 attempts',
    )
    expect(await recorded()).toHaveLength(7)
  })

  test('answers a repeated command with the events it recorded the first time', async () => {
    const first = await handleCommand(store, room, '1', take(3, true), repeatable('a'))
    await handleCommand(store, room, '1', take(37), repeatable('b'))
    const again = await handleCommand(store, room, '1', take(3, true), repeatable('a'))
    if (!first.ok || !again.ok) throw new Error('rejected')
    expect(again.value.events).toEqual(first.value.events)
    expect(again.value).toMatchObject({ position: first.value.position, isRepetition: true, state: 40, revision: 3 })
    expect(await recorded()).toHaveLength(4)
  })

  test('records a command once if it comes several times at once', async () => {
    const handled = await Promise.all(
      Array.from({ length: 5 }, () => handleCommand(store, room, '1', take(2, true), repeatable('a'))),
    )
    expect(handled.map((result) => result.ok && result.value.position)).toEqual(Array(5).fill(await store.end()))
    expect(await recorded()).toHaveLength(2)
  })

  test('does not read a stream that should be new, unless the append conflicts', async () => {
    let reads = 0
    const counting: EventStore = {
      ...store,
      read: (stream, from) => {
        reads++
        return store.read(stream, from)
      },
    }
    const asNew = { ...random, isForNewStream: true }
    expect(await handleCommand(counting, room, '1', take(30), asNew)).toMatchObject({ ok: true, value: { state: 30 } })
    expect(reads).toBe(0)
    expect(await handleCommand(counting, room, '1', take(30), asNew)).toEqual(rejected({ code: 'full', left: 10 }))
    expect(reads).toBe(1)
  })

  test('continues from a known state, and reads only later events', async () => {
    const first = await handleCommand(store, room, '1', take(4), random)
    if (!first.ok) throw new Error('refused')
    await handleCommand(store, room, '1', take(2), random)
    const readFrom: (number | undefined)[] = []
    const watched: EventStore = {
      ...store,
      read: (stream, fromRevision) => {
        readFrom.push(fromRevision)
        return store.read(stream, fromRevision)
      },
    }
    const second = await handleCommand(watched, room, '1', take(3), { ...random, known: first.value })
    expect(second).toMatchObject({ ok: true, value: { state: 9, revision: 2 } })
    expect(readFrom).toEqual([1])
  })

  test('reads the whole stream again if it is shorter than the known state', async () => {
    await handleCommand(store, room, '1', take(4), random)
    const known = { state: 30, revision: 7 }
    const handled = await handleCommand(store, room, '1', take(3), { ...random, known })
    expect(handled).toMatchObject({ ok: true, value: { state: 7, revision: 1 } })
  })

  test('throws the error of the store', async () => {
    await handleCommand(store, room, '1', take(1), repeatable('a'))
    await expect(handleCommand(store, room, '2', take(1), repeatable('a'))).rejects.toThrow(EventIdReusedError)
  })

  test('records no event that it could not read again', async () => {
    await expect(handleCommand(store, room, '1', take(-1), random)).rejects.toThrow('Seats is a number')
    expect(await store.end()).toBe('start')
  })

  test('fails on an event that it cannot read', async () => {
    const strange: NewEvent = { id: randomUUID(), type: 'RoomPainted', data: {} }
    await store.append('room-1', 'any', [strange])
    await expect(handleCommand(store, room, '1', take(1), random)).rejects.toThrow('Unknown event RoomPainted')
  })

  test('keeps the rule under any concurrent commands', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uuid(), fc.array(fc.integer({ min: 1, max: 15 }), { maxLength: 8 }), async (id, orders) => {
        const outcomes = await Promise.allSettled(
          orders.map((seats) => handleCommand(store, room, id, take(seats), { ...random, maxAttempts: 20 })),
        )
        const accepted = orders.filter((_, n) => {
          const outcome = outcomes[n]
          return outcome?.status === 'fulfilled' && outcome.value.ok
        })
        const { state } = await loadState(store, room, id)
        expect(outcomes.filter((outcome) => outcome.status === 'rejected')).toEqual([])
        expect(state).toBe(accepted.reduce((sum, seats) => sum + seats, 0))
        expect(state).toBeLessThanOrEqual(allSeats)
      }),
      { numRuns: 15 },
    )
  })
})

test('loadState folds the stream and appends nothing', async () => {
  expect(await loadState(store, room, '1')).toEqual({ state: 0, revision: 'no-stream' })
  await handleCommand(store, room, '1', take(4), random)
  expect(await loadState(store, room, '1')).toEqual({ state: 4, revision: 0 })
})
