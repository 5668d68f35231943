/** @module-tag verify */
import { expect, onTestFinished, test } from 'vitest'
import { newEvent, newEvents, pull, readAll, record } from '@portal/platform/testing/event-store/contract/harness'
import { EventStoreUnavailableError } from '../errors.ts'
import { openEventStoreDb } from '../eventstoredb.ts'
import { startStandIn } from '@portal/engines/event-store/start'

const start = async () => {
  const standIn = await startStandIn()
  onTestFinished(() => standIn.stop())
  const open = async () => {
    const store = await openEventStoreDb({ url: standIn.url })
    onTestFinished(() => store.close())
    return store
  }
  return { standIn, open }
}

test('ES-81 a repetition of an in-flight append gets the first answer, and does not count as an outage', async () => {
  const { standIn, open } = await start()
  const [one, other] = [await open(), await open()]
  await standIn.command({ name: 'delay-appends', ms: 200 })
  const same = newEvents(2)
  const repeated = [one, other].map((store) => store.append('cat-a', 'no-stream', same))
  // Other calls of the waiting process succeed meanwhile.
  const alongside = Promise.all([record(one, 'cat-b', newEvents(1)), record(other, 'cat-b', newEvents(1))])
  const [first, second] = await Promise.all(repeated)
  expect(first).toMatchObject({ kind: 'appended', revision: 1 })
  expect(second).toEqual(first)
  expect((await alongside).map(({ revision }) => revision).toSorted()).toEqual([0, 1])
  expect(await readAll(one, 'cat-a')).toHaveLength(2)
})

test.each([['any'], [4_999]] as const)(
  'ES-82 the first append to a long stream, with %s, reads few of its events',
  async (expected) => {
    const { standIn, open } = await start()
    const writer = await open()
    for (let n = 0; n < 5; n++) await record(writer, 'inbox-a', newEvents(1_000))
    const store = await open()
    const before = (await standIn.counts()).recordsOfStreams
    expect(await store.append('inbox-a', expected, [newEvent()])).toMatchObject({ kind: 'appended', revision: 5_000 })
    expect(await store.append('inbox-a', 'any', [newEvent()])).toMatchObject({ kind: 'appended', revision: 5_001 })
    expect((await standIn.counts()).recordsOfStreams - before).toBeLessThanOrEqual(1_000)
  },
)

test('ES-82 a process that opens a long stream recognizes the newest ids', async () => {
  const { open } = await start()
  const writer = await open()
  await record(writer, 'inbox-a', newEvents(1_000))
  const newest = newEvents(500)
  const first = await record(writer, 'inbox-a', newest)
  await record(writer, 'inbox-a', newEvents(400))
  const store = await open()
  for (const expected of ['any', 'no-stream', 3] as const) {
    expect(await store.append('inbox-a', expected, newest)).toEqual(first)
  }
  expect(await record(store, 'inbox-a', newEvents(1))).toMatchObject({ revision: 1_900 })
})

test('ES-83 all subscriptions of a process share reads of the end of the log', async () => {
  const { standIn, open } = await start()
  const store = await open()
  const subscriptions = Array.from({ length: 14 }, (_, n) =>
    pull(store, 'start', n % 2 === 0 ? 'all' : { categories: [`cat${n}`, 'cat'] }),
  )
  for (const subscription of subscriptions) await subscription.untilCaughtUp()
  const before = (await standIn.counts()).readsOfEnd
  const appends = 400
  const seen = subscriptions.map((subscription) => subscription.events(appends))
  for (let from = 0; from < appends; from += 5) {
    await Promise.all(Array.from({ length: 5 }, (_, n) => record(store, `cat-${from + n}`, newEvents(1))))
  }
  await Promise.all(seen)
  for (const subscription of subscriptions) await subscription.untilCaughtUp()
  expect((await standIn.counts()).readsOfEnd - before).toBeLessThanOrEqual(appends / 10)
  await Promise.all(subscriptions.map((subscription) => subscription.stop()))
})

test('ES-84 the health check fails on a server that cannot write, until a write succeeds', async () => {
  const { standIn, open } = await start()
  const store = await open()
  await record(store, 'cat-a', newEvents(1))
  await standIn.command({ name: 'fail-appends' })
  await expect(store.append('cat-a', 'any', newEvents(1))).rejects.toThrow(EventStoreUnavailableError)
  expect(await readAll(store, 'cat-a')).toHaveLength(1)
  await expect(store.check()).rejects.toThrow('The event store cannot write')
  await standIn.command({ name: 'serve' })
  await record(store, 'cat-b', newEvents(1))
  await store.check()
})
