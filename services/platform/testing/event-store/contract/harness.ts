import { randomUUID } from 'node:crypto'
import { test } from 'vitest'
import type {
  Appended,
  CaughtUp,
  Checkpoint,
  Conflict,
  EventStore,
  Filter,
  NewEvent,
  Position,
  RecordedEvent,
} from '../../../src/event-store/port.ts'

export type EventStoreHarness = {
  /** Opens the store. After a close, it has the same data. */
  open(): Promise<EventStore>
  /** Removes the data. Called once, after the store is closed. */
  dispose(): Promise<void>
}

type StoreUnderTest = {
  /** An empty store. */
  readonly store: EventStore
  /** Closes the store and opens it again with the same data. */
  reopen(): Promise<EventStore>
}

export type StoreTest = (name: string, body: (under: StoreUnderTest) => Promise<void>) => void

/** Runs `body` with a new store, and removes it afterwards. */
export const runOnStore = async (
  makeHarness: () => Promise<EventStoreHarness>,
  body: (under: StoreUnderTest) => Promise<void>,
): Promise<void> => {
  const harness = await makeHarness()
  let current = await harness.open()
  try {
    await body({
      store: current,
      reopen: async () => {
        await current.close()
        current = await harness.open()
        return current
      },
    })
  } finally {
    await current.close()
    await harness.dispose()
  }
}

export const storeTest =
  (makeHarness: () => Promise<EventStoreHarness>): StoreTest =>
  (name, body) => {
    // The caller provides the title and the expectations.
    // oxlint-disable-next-line vitest/expect-expect, vitest/valid-title
    test(name, () => runOnStore(makeHarness, body))
  }

export const newEvent = (data: object = {}, type = 'Happened'): NewEvent => ({ id: randomUUID(), type, data })

export const newEvents = (count: number): NewEvent[] => Array.from({ length: count }, (_, n) => newEvent({ n }))

/** Appends with 'any'. Throws on a conflict. */
export const record = async (store: EventStore, stream: string, events: readonly NewEvent[]): Promise<Appended> => {
  const answer: Appended | Conflict = await store.append(stream, 'any', events)
  if (answer.kind === 'conflict') throw new Error(`Conflict on ${stream}`)
  return answer
}

export const readAll = async (store: EventStore, stream: string, fromRevision?: number): Promise<RecordedEvent[]> => {
  const events: RecordedEvent[] = []
  for await (const event of store.read(stream, fromRevision)) events.push(event)
  return events
}

export const idsOf = (items: readonly { readonly id: string }[]): string[] => items.map((item) => item.id)

/** A subscription that a test reads item by item. */
type Pull = {
  /** The next item, event or 'caught-up'. */
  next(): Promise<RecordedEvent | CaughtUp>
  /** The next `count` events, without 'caught-up' items. */
  events(count: number): Promise<RecordedEvent[]>
  /** All events up to the next 'caught-up', and its position. */
  untilCaughtUp(): Promise<{ events: RecordedEvent[]; position: Position | 'start' }>
  /** Aborts, and resolves when the iteration has ended. */
  stop(): Promise<void>
}

export const pull = (
  store: Pick<EventStore, 'subscribe'>,
  after: Position | Checkpoint | 'start' = 'start',
  filter: Filter = 'all',
): Pull => {
  const controller = new AbortController()
  const iterator = store.subscribe(after, filter, controller.signal)[Symbol.asyncIterator]()
  const next = async (): Promise<RecordedEvent | CaughtUp> => {
    const step = await iterator.next()
    if (step.done === true) throw new Error('The subscription ended')
    return step.value
  }
  return {
    next,
    events: async (count) => {
      const events: RecordedEvent[] = []
      while (events.length < count) {
        const item = await next()
        if (item.kind === 'event') events.push(item)
      }
      return events
    },
    untilCaughtUp: async () => {
      const events: RecordedEvent[] = []
      for (;;) {
        const item = await next()
        if (item.kind === 'caught-up') return { events, position: item.position }
        events.push(item)
      }
    },
    stop: async () => {
      controller.abort()
      while ((await iterator.next()).done !== true);
    },
  }
}

/** What a subscription delivers until it has caught up. */
export const caughtUpAfter = async (store: EventStore, after: Position | Checkpoint | 'start') => {
  const subscription = pull(store, after)
  const seen = await subscription.untilCaughtUp()
  await subscription.stop()
  return seen
}
