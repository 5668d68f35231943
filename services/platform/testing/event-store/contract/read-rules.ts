import { expect } from 'vitest'
import { idsOf, newEvents, pull, readAll, record, type StoreTest } from './harness.ts'

export const readRules = (test: StoreTest): void => {
  test('ES-20 reads a long stream completely and in order', async ({ store }) => {
    const events = newEvents(2_300)
    for (let from = 0; from < events.length; from += 700) await record(store, 'cat-a', events.slice(from, from + 700))
    const read = await readAll(store, 'cat-a')
    expect(idsOf(read)).toEqual(idsOf(events))
    expect(read.map((event) => event.revision)).toEqual(events.map((_, n) => n))
  })

  test('ES-20 reads a stream from a revision', async ({ store }) => {
    const events = newEvents(900)
    await record(store, 'cat-a', events)
    await record(store, 'cat-b', newEvents(3))
    for (const from of [0, 1, 255, 256, 257, 899]) {
      expect(idsOf(await readAll(store, 'cat-a', from))).toEqual(idsOf(events.slice(from)))
    }
  })

  test('ES-20 a read during appends has no gap', async ({ store }) => {
    await record(store, 'cat-a', newEvents(600))
    const reading = readAll(store, 'cat-a')
    await Promise.all(Array.from({ length: 50 }, () => record(store, 'cat-a', newEvents(10))))
    const revisions = (await reading).map((event) => event.revision)
    expect(revisions).toEqual(revisions.map((_, n) => n))
    expect(revisions.length).toBeGreaterThanOrEqual(600)
  })

  test('ES-20 a read can end early', async ({ store }) => {
    await record(store, 'cat-a', newEvents(600))
    for await (const event of store.read('cat-a')) if (event.revision === 300) break
    expect(await readAll(store, 'cat-a')).toHaveLength(600)
  })

  test('ES-21 an unknown stream and a read after the end return no event', async ({ store }) => {
    await record(store, 'cat-a', newEvents(2))
    expect(await readAll(store, 'cat-unknown')).toEqual([])
    expect(await readAll(store, 'cat')).toEqual([])
    expect(await readAll(store, 'cat-a', 2)).toEqual([])
    expect(await readAll(store, 'cat-a', 1_000)).toEqual([])
  })

  test('ES-22 reads and subscriptions see acknowledged events at once', async ({ store }) => {
    for (let n = 0; n < 8; n++) {
      const { position } = await record(store, 'cat-a', newEvents(1))
      expect(await readAll(store, 'cat-a')).toHaveLength(n + 1)
      const subscription = pull(store)
      const { events } = await subscription.untilCaughtUp()
      expect(events.at(-1)?.position).toBe(position)
      await subscription.stop()
    }
  })
}
