/** @module-tag verify */
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  idsOf,
  newEvent,
  newEvents,
  pull,
  readAll,
  record,
} from '@portal/platform/testing/event-store/contract/harness'
import { UnknownPositionError } from '../errors.ts'
import { openEventStoreDb } from '../eventstoredb.ts'
import type { EventStore } from '../port.ts'
import { type ServerUnderTest, serversUnderTest } from '@portal/platform/testing/event-store/servers'
import { until } from '../../../testing/until.ts'

/** An event so large that the positions which the older log lacks are inside it. */
const eventOverPositions = () => newEvent({ text: 'x'.repeat(100_000) })

const open = async ({ url }: ServerUnderTest) => {
  const found: string[] = []
  const store = await openEventStoreDb({ url, onOlder: (missing) => void found.push(missing) })
  onTestFinished(() => store.close())
  return { store, found }
}

describe.each(serversUnderTest)('the EventStoreDB adapter and %s', (_name, startServer) => {
  /** Two servers with the same events in the stream 'cat-a': one has 20, the older one only the first 10. */
  const withCopy = async () => {
    const servers = await Promise.all([startServer(), startServer()])
    onTestFinished(async () => {
      await Promise.all(servers.map((server) => server.stop()))
    })
    const [server, copy] = servers
    const { store, found } = await open(server)
    const { store: older } = await open(copy)
    const events = newEvents(20)
    for (const event of events.slice(0, 10)) {
      await record(store, 'cat-a', [event])
      await record(older, 'cat-a', [event])
    }
    for (const event of events.slice(10)) await record(store, 'cat-a', [event])
    const restore = (): void => server.switchTo(copy)
    return { store, found, older, events, restore }
  }

  /** Subscribes in the background until the end of the test. */
  const following = (store: EventStore, categories: readonly string[]) => {
    const abort = new AbortController()
    const ids: string[] = []
    const errors: unknown[] = []
    const follow = async (): Promise<void> => {
      for await (const item of store.subscribe('start', { categories }, abort.signal)) {
        if (item.kind === 'event') ids.push(item.id)
      }
    }
    const ended = follow().catch((error: unknown) => void errors.push(error))
    onTestFinished(async () => {
      abort.abort()
      await ended
    })
    return { ids, errors }
  }

  test('ES-79 a subscription rejects when the log comes back older, even if that log has grown', async () => {
    const { store, found, older, events, restore } = await withCopy()
    const { ids, errors } = following(store, ['cat'])
    await until(() => expect(ids).toHaveLength(20))
    await record(older, 'cat-b', [eventOverPositions()])
    restore()
    await until(() => expect(errors).toHaveLength(1))
    expect(errors[0]).toBeInstanceOf(UnknownPositionError)
    expect(ids).toEqual(idsOf(events))
    expect(found).toEqual([expect.stringMatching(/^the event at position \S+ is missing from the log$/)])
  })

  test('ES-79 a subscription resumed at a checkpoint rejects when the log no longer has that event', async () => {
    const { store, older, restore } = await withCopy()
    const last = (await readAll(store, 'cat-a')).at(-1)
    if (last === undefined) throw new Error('No event')
    const checkpoint = { position: last.position, eventId: last.id }
    const subscription = pull(store, checkpoint)
    expect(await subscription.next()).toMatchObject({ kind: 'caught-up', ...checkpoint })
    const next = subscription.next()
    next.catch(() => undefined)
    await record(older, 'cat-b', [eventOverPositions()])
    restore()
    await expect(next).rejects.toThrow(UnknownPositionError)
  })

  test('ES-80 appends to a stream that has become shorter continue, and it is reported once', async () => {
    const { store, found, restore } = await withCopy()
    restore()
    expect(await record(store, 'cat-a', newEvents(1))).toMatchObject({ revision: 10 })
    expect(await store.append('cat-a', 10, newEvents(2))).toMatchObject({ kind: 'appended', revision: 12 })
    expect(found).toEqual([expect.stringMatching(/is missing from the log$/)])
  })

  test('ES-80 an append that the older log has lost is recorded again, not answered from the cache', async () => {
    const { store, events, restore } = await withCopy()
    restore()
    const lost = events.slice(19)
    expect(await record(store, 'cat-a', lost)).toMatchObject({ revision: 10 })
    expect(idsOf(await readAll(store, 'cat-a'))).toEqual([...idsOf(events.slice(0, 10)), ...idsOf(lost)])
  })

  test('ES-80 a conflict reports the revision of the older stream', async () => {
    const { store, restore } = await withCopy()
    restore()
    expect(await store.append('cat-a', 19, [newEvent()])).toEqual({ kind: 'conflict', actualRevision: 9 })
  })

  test('ES-80 the health check detects a log that has become shorter', async () => {
    const { store, found, restore } = await withCopy()
    restore()
    await until(async () => {
      await store.check()
      expect(found).toHaveLength(1)
    })
  })

  test('ES-41 and ES-80 the end of an emptied log is its start, and the loss is reported', async () => {
    const servers = await Promise.all([startServer(), startServer()])
    onTestFinished(async () => {
      await Promise.all(servers.map((server) => server.stop()))
    })
    const [server, empty] = servers
    const { store, found } = await open(server)
    await record(store, 'cat-a', newEvents(3))
    server.switchTo(empty)
    expect(await store.end()).toBe('start')
    await until(() => expect(found).toEqual([expect.stringMatching(/is missing from the log$/)]))
  })

  test('ES-85 appends nothing to another log at the same address, not even what was in flight', async () => {
    const servers = await Promise.all([startServer(), startServer()])
    onTestFinished(async () => {
      await Promise.all(servers.map((server) => server.stop()))
    })
    const [server, other] = servers
    let isOther = false
    const verify = async (): Promise<void> => {
      if (isOther) throw new Error('another log')
    }
    const store = await openEventStoreDb({ url: server.url, verify })
    onTestFinished(() => store.close())
    following(store, ['cat'])
    await record(store, 'cat-a', newEvents(1))
    // The outcome of this append is unknown, so the adapter repeats it.
    server.dropResponses(1)
    const inFlight = store.append('cat-b', 'no-stream', newEvents(1)).catch((error: unknown) => error)
    isOther = true
    server.switchTo(other)
    expect(await inFlight).toBeInstanceOf(Error)
    await expect(store.append('cat-c', 'no-stream', newEvents(1))).rejects.toThrow('another log')
    const { store: foreign } = await open(other)
    expect(await foreign.end()).toBe('start')
    isOther = false
    server.switchTo(server)
    expect(await record(store, 'cat-c', newEvents(1))).toMatchObject({ revision: 0 })
  })
})
