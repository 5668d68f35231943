/** @module-tag verify */
import { afterEach, describe, expect, test } from 'vitest'
import {
  idsOf,
  newEvent,
  newEvents,
  pull,
  readAll,
  record,
} from '@portal/platform/testing/event-store/contract/harness'
import {
  EventIdReusedError,
  EventStoreUnavailableError,
  StoreOverloadedError,
  UnknownPositionError,
} from '../errors.ts'
import { openEventStoreDb } from '../eventstoredb.ts'
import type { EventStore, NewEvent, Position } from '../port.ts'
import { type ServerUnderTest, serversUnderTest } from '@portal/platform/testing/event-store/servers'
import { connectTo } from './client.ts'

const servers = new Set<ServerUnderTest>()
const stores = new Set<EventStore>()
afterEach(async () => {
  for (const store of stores) await store.close()
  for (const server of servers) await server.stop()
  stores.clear()
  servers.clear()
})

const open = async ({ url }: Pick<ServerUnderTest, 'url'>): Promise<EventStore> => {
  const store = await openEventStoreDb({ url })
  stores.add(store)
  return store
}

/** Appends events one by one. Retries a failed append with the same id until it is recorded. */
const appendOneByOne = async (store: EventStore, stream: string, events: readonly NewEvent[]): Promise<void> => {
  for (const event of events) {
    for (let isRecorded = false; !isRecorded;) {
      try {
        await record(store, stream, [event])
        isRecorded = true
      } catch (error) {
        if (!(error instanceof EventStoreUnavailableError)) throw error
      }
    }
  }
}

describe.each(serversUnderTest)('the EventStoreDB adapter and %s', (_name, startServer) => {
  const start = async (): Promise<ServerUnderTest> => {
    const server = await startServer()
    servers.add(server)
    return server
  }

  test('ES-70 broken connections cause no gap and no duplicate', async () => {
    const server = await start()
    const store = await open(server)
    const [all, cats] = [pull(store), pull(store, 'start', { categories: ['cat'] })]
    await Promise.all([all.untilCaughtUp(), cats.untilCaughtUp()])
    const events = newEvents(200)
    const appending = Promise.all([
      appendOneByOne(store, 'cat-a', events.slice(0, 100)),
      appendOneByOne(store, 'dog-a', events.slice(100)),
    ])
    const following = Promise.all([all.events(200), cats.events(100)])
    for (let drops = 0; drops < 10; drops++) {
      server.drop()
      await readAll(store, 'cat-a')
    }
    await appending
    const [seen, seenCats] = await following
    expect(new Set(idsOf(seen))).toEqual(new Set(idsOf(events)))
    expect(idsOf(seenCats)).toEqual(idsOf(events.slice(0, 100)))
    expect(idsOf(await readAll(store, 'cat-a'))).toEqual(idsOf(events.slice(0, 100)))
    await Promise.all([all.stop(), cats.stop()])
  })

  test('ES-70 a server that is killed and restarted causes no gap and no duplicate', async () => {
    const server = await start()
    const store = await open(server)
    const subscription = pull(store)
    const events = newEvents(300)
    const appending = appendOneByOne(store, 'cat-a', events)
    const seen = await subscription.events(100)
    await server.kill()
    await server.restart()
    seen.push(...(await subscription.events(200)))
    await appending
    expect(idsOf(seen)).toEqual(idsOf(events))
    expect((await subscription.untilCaughtUp()).position).toBe(await store.end())
    await subscription.stop()
  })

  test('ES-70 a reader that pauses while the connection breaks misses nothing', async () => {
    const server = await start()
    const store = await open(server)
    const events = newEvents(3_000)
    await record(store, 'cat-a', events.slice(0, 1_000))
    const subscription = pull(store)
    const seen = await subscription.events(10)
    server.drop()
    await record(store, 'cat-a', events.slice(1_000, 2_000))
    seen.push(...(await subscription.events(500)))
    await record(store, 'cat-a', events.slice(2_000))
    seen.push(...(await subscription.untilCaughtUp()).events)
    while (seen.length < events.length) seen.push(...(await subscription.untilCaughtUp()).events)
    expect(idsOf(seen)).toEqual(idsOf(events))
    await subscription.stop()
  })

  test('ES-71 an append whose answer was lost is recorded once and answered', async () => {
    const server = await start()
    const store = await open(server)
    const events = newEvents(5)
    for (const [index, expected] of (['no-stream', 0, 'any', 2, 'any'] as const).entries()) {
      server.dropResponses(index + 1)
      const answer = await store.append('cat-a', expected, events.slice(index, index + 1))
      expect(answer).toEqual({ kind: 'appended', revision: index, position: await store.end() })
    }
    expect(idsOf(await readAll(store, 'cat-a'))).toEqual(idsOf(events))
  })

  test('ES-72 calls wait during a short outage', async () => {
    const server = await start()
    const store = await open(server)
    await record(store, 'cat-a', newEvents(1))
    server.refuse()
    const working = Promise.all([record(store, 'cat-a', newEvents(1)), readAll(store, 'cat-a'), store.end()])
    server.serve()
    expect(await working).toMatchObject([{ revision: 1 }, [{ revision: 0 }], {}])
  })

  test('ES-72 appends and reads fail during a longer outage, and subscriptions wait', async () => {
    const server = await start()
    const store = await open(server)
    const subscription = pull(store)
    await subscription.untilCaughtUp()
    await server.kill()
    const coming = subscription.events(1)
    const event = newEvent()
    const answers = await Promise.allSettled([
      store.append('cat-a', 'any', [event]),
      readAll(store, 'cat-b'),
      store.end(),
      store.check(),
    ])
    for (const answer of answers) {
      const reason: unknown = answer.status === 'rejected' && answer.reason
      expect(reason).toBeInstanceOf(EventStoreUnavailableError)
      expect(String(reason)).toBe('EventStoreUnavailableError: The event store does not answer')
    }
    await server.restart()
    await appendOneByOne(store, 'cat-a', [event])
    expect(idsOf(await coming)).toEqual([event.id])
    await subscription.stop()
  })

  test('ES-73 calls without an answer time out', async () => {
    const server = await start()
    const store = await open(server)
    await record(store, 'cat-a', newEvents(1))
    server.hang()
    const [append, ...reads] = await Promise.allSettled([
      store.append('cat-a', 'any', newEvents(1)),
      store.check(),
      readAll(store, 'cat-a'),
      store.end(),
    ])
    expect(append).toMatchObject({ reason: { name: 'AppendOutcomeUnknownError', isOutcomeUnknown: true } })
    for (const answer of reads) expect(answer).toMatchObject({ reason: { name: 'EventStoreUnavailableError' } })
    server.serve()
    await store.check()
    expect(await record(store, 'cat-a', newEvents(1))).toMatchObject({ kind: 'appended' })
  })

  test('ES-74 processes that append to one stream do not affect each other', async () => {
    const server = await start()
    const [one, other] = [await open(server), await open(server)]
    const events = newEvents(3)
    const first = await one.append('cat-a', 'no-stream', events)
    for (const expected of ['no-stream', 'any', 0, 2] as const) {
      expect(await other.append('cat-a', expected, events)).toEqual(first)
    }
    await record(other, 'cat-a', newEvents(2))
    expect(await one.append('cat-a', 2, newEvents(1))).toEqual({ kind: 'conflict', actualRevision: 4 })
    const [taken] = events
    const [late] = newEvents(1)
    if (taken === undefined || late === undefined) throw new Error('No events')
    await record(other, 'cat-a', [late])
    await expect(one.append('cat-a', 'any', [newEvent(), late])).rejects.toThrow(EventIdReusedError)
    await expect(other.append('cat-a', 5, [taken, newEvent()])).rejects.toThrow(EventIdReusedError)

    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) => record(n % 2 === 0 ? one : other, 'cat-a', newEvents(2))),
    )
    expect(answers.map((answer) => answer.revision).toSorted((a, b) => a - b)).toEqual(answers.map((_, n) => 7 + 2 * n))
    const same = newEvents(2)
    const repeated = await Promise.all([one, other, one, other].map((store) => store.append('cat-b', 'any', same)))
    expect(new Set(repeated.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(await readAll(one, 'cat-b')).toHaveLength(2)
  })

  test('ES-75 rejects a position that this log did not make', async () => {
    const store = await open(await start())
    const { position } = await record(store, 'cat-a', newEvents(20))
    const younger = await open(await start())
    await record(younger, 'cat-a', newEvents(1))
    for (const unknown of [position, '2', '', '0000000000000002', 'C:1/P:1']) {
      // Positions come from a read model and may be any text.
      await expect(pull(younger, unknown as Position).next()).rejects.toThrow(UnknownPositionError)
    }
  })

  test('ES-76 excludes streams without a category and system streams from the log', async () => {
    const server = await start()
    const store = await open(server)
    const engine = connectTo(server.url)
    const raw = { id: newEvent().id, type: 'Raw', data: '{}', metadata: null }
    await engine.append('userkey!1', -1, [raw], 5_000)
    await engine.append('$system-1', -1, [raw], 5_000)
    expect(await store.end()).toBe('start')
    const { position } = await record(store, 'cat-a', newEvents(2))
    await engine.append('userkey!2', -1, [raw], 5_000)
    await engine.tombstone('cat-gone', 5_000)
    expect(await store.end()).toBe(position)
    for (const filter of ['all', { categories: ['cat', 'userkey!1', '$system'] }] as const) {
      const subscription = pull(store, 'start', filter)
      const seen = await subscription.untilCaughtUp()
      expect(seen).toMatchObject({ position, events: [{ stream: 'cat-a' }, { stream: 'cat-a' }] })
      await subscription.stop()
    }
    await engine.close()
  })

  test('ES-78 rejects appends over the limit of waiting bytes', async () => {
    const store = await open(await start())
    const answers = await Promise.allSettled(
      Array.from({ length: 70 }, (_, n) =>
        store.append(`cat-${n}`, 'no-stream', [newEvent({ text: 'x'.repeat(1_000_000) })]),
      ),
    )
    const apiErrors = answers.filter((answer) => answer.status === 'rejected')
    expect(apiErrors).toHaveLength(3)
    for (const { reason } of apiErrors) expect(reason).toBeInstanceOf(StoreOverloadedError)
  })
})
