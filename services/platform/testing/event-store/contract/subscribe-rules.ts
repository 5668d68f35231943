import { expect } from 'vitest'
import type { EventStore } from '../../../src/event-store/port.ts'
import { caughtUpAfter, idsOf, newEvent, newEvents, pull, readAll, record, type StoreTest } from './harness.ts'

const fill = async (store: EventStore, streams: readonly string[], rounds: number): Promise<string[]> => {
  const ids: string[] = []
  for (let round = 0; round < rounds; round++) {
    for (const stream of streams) {
      const events = newEvents(10)
      await record(store, stream, events)
      ids.push(...idsOf(events))
    }
  }
  return ids
}

export const subscribeRules = (test: StoreTest): void => {
  test('ES-30 delivers every event once, in the order of the log, from the start', async ({ store }) => {
    const ids = await fill(store, ['cat-a', 'dog-b', 'cat-c'], 30)
    const { events } = await caughtUpAfter(store, 'start')
    expect(idsOf(events)).toEqual(ids)
    expect(events.map((event) => event.position)).toEqual(events.map((event) => event.position).toSorted())
  })

  test('ES-30 a live event equals the event read from the stream', async ({ store }) => {
    const subscription = pull(store)
    await subscription.untilCaughtUp()
    await record(store, 'cat-a', [
      { ...newEvent({ text: 'é', gone: undefined, list: [1] }), metadata: { actorId: 'me' } },
      newEvent(),
    ])
    expect(await subscription.events(2)).toStrictEqual(await readAll(store, 'cat-a'))
    await subscription.stop()
  })

  test('ES-31 delivers only events after a position, even after reopening', async ({ store, reopen }) => {
    const ids = await fill(store, ['cat-a', 'dog-b'], 30)
    const { events } = await caughtUpAfter(store, 'start')
    const check = async (opened: EventStore): Promise<void> => {
      for (const index of [0, 1, 255, 256, 400, ids.length - 1]) {
        const later = await caughtUpAfter(opened, events[index]?.position ?? 'start')
        expect(idsOf(later.events)).toEqual(ids.slice(index + 1))
      }
    }
    await check(store)
    await check(await reopen())
  })

  test('ES-32 delivers only the requested categories', async ({ store, reopen }) => {
    await fill(store, ['cat-a', 'dog-a', 'catalog-a', 'cat-dog-a', 'Cat-a'], 16)
    const check = async (opened: EventStore, bird: string): Promise<void> => {
      const subscription = pull(opened, 'start', { categories: ['cat', bird] })
      const { events } = await subscription.untilCaughtUp()
      expect(events).toHaveLength(320)
      expect(new Set(events.map((event) => event.stream))).toEqual(new Set(['cat-a', 'cat-dog-a']))
      await record(opened, 'dog-a', newEvents(1))
      const event = newEvent()
      await record(opened, `${bird}-a`, [event])
      expect(idsOf(await subscription.events(1))).toEqual([event.id])
      await subscription.stop()
    }
    await check(store, 'robin')
    await check(await reopen(), 'wren')
  })

  test('ES-32 delivers only caught-up without categories', async ({ store }) => {
    await fill(store, ['cat-a'], 3)
    const subscription = pull(store, 'start', { categories: [] })
    expect(await subscription.untilCaughtUp()).toEqual({ events: [], position: await store.end() })
    await subscription.stop()
  })

  test('ES-33 has no gap and no duplicate between catching up and live events', async ({ store }) => {
    const ids = await fill(store, ['cat-a'], 80)
    const subscription = pull(store)
    const writers = Array.from({ length: 8 }, (_, writer) => fill(store, [`cat-${writer}`, 'cat-shared'], 10))
    const seen = await subscription.events(ids.length + 8 * 200)
    const written = (await Promise.all(writers)).flat()
    await subscription.stop()
    expect(new Set(idsOf(seen))).toEqual(new Set([...ids, ...written]))
    expect(idsOf(seen)).toEqual(idsOf((await caughtUpAfter(store, 'start')).events))
  })

  test('ES-33 delivers live events as they are appended', async ({ store }) => {
    const subscription = pull(store)
    await subscription.untilCaughtUp()
    for (let n = 0; n < 10; n++) {
      const coming = subscription.events(1)
      const event = newEvent({ n })
      await record(store, 'cat-a', [event])
      expect(idsOf(await coming)).toEqual([event.id])
    }
    await subscription.stop()
  })

  test('ES-34 reports caught-up at the start of an empty store', async ({ store }) => {
    const subscription = pull(store)
    expect(await subscription.next()).toEqual({ kind: 'caught-up', position: 'start' })
    await subscription.stop()
  })

  test('ES-34 reports caught-up after the last event, and again after live events', async ({ store }) => {
    await record(store, 'cat-a', newEvents(4))
    const subscription = pull(store)
    for (const count of [4, 3, 1]) {
      const { events, position } = await subscription.untilCaughtUp()
      expect(events).toHaveLength(count)
      expect(position).toBe(await store.end())
      if (count > 1) await record(store, 'cat-a', newEvents(count === 4 ? 3 : 1))
    }
    await subscription.stop()
  })

  test('ES-34 reports caught-up once between two events', async ({ store }) => {
    const subscription = pull(store, 'start', { categories: ['cat'] })
    await subscription.untilCaughtUp()
    const coming = subscription.next()
    await fill(store, ['dog-a'], 5)
    const [event] = newEvents(1)
    if (event === undefined) throw new Error('No event')
    await record(store, 'cat-a', [event])
    expect(await coming).toMatchObject({ kind: 'event', id: event.id })
    await subscription.stop()
  })

  test('ES-34 a subscription can resume at the position of caught-up', async ({ store, reopen }) => {
    await fill(store, ['cat-a', 'dog-a'], 3)
    const first = pull(store, 'start', { categories: ['cat'] })
    const { position } = await first.untilCaughtUp()
    await first.stop()
    const reopened = await reopen()
    const event = newEvent()
    await record(reopened, 'dog-a', [event])
    expect(idsOf((await caughtUpAfter(reopened, position)).events)).toEqual([event.id])
  })

  test('ES-34 reports caught-up while appends never pause', async ({ store }) => {
    await fill(store, ['cat-a'], 10)
    let isWriting = true
    const writing = (async () => {
      while (isWriting) await record(store, 'cat-a', newEvents(5))
    })()
    const subscription = pull(store)
    for (let times = 0; times < 5; times++) await subscription.untilCaughtUp()
    isWriting = false
    await writing
    await subscription.stop()
  })

  test('ES-35 abort ends a waiting subscription', async ({ store }) => {
    const controller = new AbortController()
    const seen: string[] = []
    for await (const item of store.subscribe('start', 'all', controller.signal)) {
      seen.push(item.kind)
      setImmediate(() => controller.abort())
    }
    expect(seen).toEqual(['caught-up'])
  })

  test('ES-35 abort ends a subscription between two events', async ({ store }) => {
    await record(store, 'cat-a', newEvents(10))
    const controller = new AbortController()
    const seen: number[] = []
    for await (const item of store.subscribe('start', 'all', controller.signal)) {
      if (item.kind === 'event') seen.push(item.revision)
      if (seen.length === 3) controller.abort()
    }
    expect(seen).toEqual([0, 1, 2])
  })

  test('ES-35 delivers nothing if aborted before the start', async ({ store }) => {
    await record(store, 'cat-a', newEvents(1))
    for await (const item of store.subscribe('start', 'all', AbortSignal.abort())) expect.fail(item.kind)
    expect(await readAll(store, 'cat-a')).toHaveLength(1)
  })

  test('ES-36 a paused reader does not delay others and misses nothing', async ({ store }) => {
    const [slow, quick] = [pull(store), pull(store)]
    await record(store, 'cat-a', newEvents(1))
    const first = await slow.events(1)
    const events = newEvents(2_000)
    for (let from = 0; from < events.length; from += 100) await record(store, 'cat-a', events.slice(from, from + 100))
    expect(idsOf(await quick.events(1 + events.length)).slice(1)).toEqual(idsOf(events))
    expect(idsOf(await slow.events(events.length))).toEqual(idsOf(events))
    expect(first).toHaveLength(1)
    await Promise.all([slow.stop(), quick.stop()])
  })

  test('ES-37 leaving the loop ends the subscription', async ({ store }) => {
    await record(store, 'cat-a', newEvents(3))
    const { signal } = new AbortController()
    for await (const item of store.subscribe('start', 'all', signal)) if (item.kind === 'event') break
    expect(await record(store, 'cat-a', newEvents(1))).toMatchObject({ revision: 3 })
  })
}
