import { expect } from 'vitest'
import { StoreClosedError } from '../../../src/event-store/errors.ts'
import { idsOf, newEvents, pull, readAll, record, type StoreTest } from './harness.ts'

export const lifecycleRules = (test: StoreTest): void => {
  test('ES-40 positions sort as text within and between appends', async ({ store, reopen }) => {
    for (let n = 0; n < 30; n++) await record(store, `cat-${n % 3}`, newEvents(5))
    const reopened = await reopen()
    for (let n = 0; n < 30; n++) await record(reopened, `cat-${n % 3}`, newEvents(5))
    const subscription = pull(reopened)
    const positions = (await subscription.untilCaughtUp()).events.map((event) => event.position)
    await subscription.stop()
    expect(positions).toEqual([...new Set(positions)].toSorted())
    expect(new Set(positions.map((position) => position.length)).size).toBe(1)
  })

  test('ES-41 the end is the position of the last event', async ({ store, reopen }) => {
    expect(await store.end()).toBe('start')
    await record(store, 'cat-a', newEvents(3))
    const { position } = await record(store, 'cat-b', newEvents(2))
    expect(await store.end()).toBe(position)
    expect(await (await reopen()).end()).toBe(position)
  })

  test('ES-42 close waits for pending appends', async ({ store, reopen }) => {
    const events = newEvents(40)
    const appending = events.map((event) => store.append('cat-a', 'any', [event]))
    const closing = store.close()
    expect(await Promise.all(appending)).toHaveLength(40)
    await closing
    expect(new Set(idsOf(await readAll(await reopen(), 'cat-a')))).toEqual(new Set(idsOf(events)))
  })

  test('ES-42 close ends subscriptions', async ({ store }) => {
    await record(store, 'cat-a', newEvents(1))
    const kinds: string[] = []
    const following = (async () => {
      for await (const item of store.subscribe('start', 'all', new AbortController().signal)) {
        kinds.push(item.kind)
        if (item.kind === 'caught-up') setImmediate(() => void store.close())
      }
    })()
    await following
    expect(kinds).toEqual(['event', 'caught-up'])
  })

  test('ES-42 a closed store rejects all calls, and may be closed again', async ({ store }) => {
    await record(store, 'cat-a', newEvents(1))
    await store.close()
    await expect(store.append('cat-a', 'any', newEvents(1))).rejects.toThrow(StoreClosedError)
    await expect(readAll(store, 'cat-a')).rejects.toThrow(StoreClosedError)
    await expect(pull(store).next()).rejects.toThrow(StoreClosedError)
    await expect(store.end()).rejects.toThrow(StoreClosedError)
    await expect(store.check()).rejects.toThrow(StoreClosedError)
    await store.close()
  })

  test('ES-43 an open store passes its check', async ({ store }) => {
    await expect(store.check()).resolves.toBeUndefined()
    await record(store, 'cat-a', newEvents(1))
    await expect(store.check()).resolves.toBeUndefined()
  })
}
