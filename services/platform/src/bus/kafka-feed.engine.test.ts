import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest'
import { openSqliteReadModel } from '../read-model/sqlite.ts'
import { parseKafkaAddress } from './kafka/address.ts'
import { type KafkaAdmin, openKafkaAdmin } from './kafka/admin.ts'
import { forkUntilReady, killNow } from './kafka/testing/forked.ts'
import { createTally, openTestPortal, type TestPortal } from './kafka/testing/portal.ts'
import { addPartitions, messagesInKafka, removeTopics, testPublisher } from './kafka/testing/topics.ts'

const logger = pino({ level: 'silent' })
const keys = Array.from({ length: 8 }, (_, i) => `key-${i}`)
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)
const waitFor = <T>(probe: () => T | Promise<T>) => vi.waitFor(probe, { timeout: 40_000, interval: 10 })

describe('the feed of Kafka', { timeout: 90_000 }, () => {
  let url: string
  let portal: TestPortal
  let admin: KafkaAdmin
  const undo: (() => Promise<unknown>)[] = []

  beforeEach(async () => {
    url = `${inject('kafkaUrl')}?prefix=${randomUUID()}.`
    portal = await openTestPortal(url)
    admin = openKafkaAdmin(parseKafkaAddress(url), logger)
  })
  afterEach(async () => {
    for (const step of undo.splice(0).toReversed()) await step()
    await portal.close()
    await admin.close()
    await removeTopics(url)
  })

  const follow = async () => {
    const tally = createTally()
    await (await portal.openBus()).consume(tally.consumer)
    return tally
  }
  const expectAll = async (tally: ReturnType<typeof createTally>, count: number) => {
    await waitFor(() => expect(keys.map((key) => tally.applied.get(key)?.length ?? 0)).toEqual(keys.map(() => count)))
    for (const key of keys) expect(tally.applied.get(key)).toEqual(numbers(count))
  }

  it('FD-10 takes over from one that was killed; nothing is lost and the order of each key kept', async () => {
    const tally = await follow()
    const killed = await forkUntilReady('feed-process.ts', [url, portal.folder, portal.eventsFile])
    undo.push(() => killNow(killed))
    const feed = await portal.startFeed()
    for (const n of numbers(200)) await portal.append(n, keys)
    await waitFor(() => expect(tally.deliveries()).toBeGreaterThan(100))
    expect(feed.isLeading()).toBe(false)
    await killNow(killed)
    for (const n of numbers(100)) await portal.append(200 + n, keys)
    await expectAll(tally, 300)
    expect(feed.isLeading()).toBe(true)
  })

  it('FD-11 does no harm when two publish at once', async () => {
    const tally = await follow()
    const elsewhere = openSqliteReadModel({ path: ':memory:', namespace: 'control' })
    undo.push(() => elsewhere.close())
    const feeds = [await portal.startFeed(), await portal.startFeed({ readModel: elsewhere })]
    undo.push(() => Promise.all(feeds.map((feed) => feed.stop())))
    for (const n of numbers(100)) await portal.append(n, keys)
    await waitFor(() => expect(feeds.every((feed) => feed.isLeading())).toBe(true))
    for (const n of numbers(100)) await portal.append(100 + n, keys)
    await expectAll(tally, 200)
    await waitFor(async () => expect(await messagesInKafka(admin, url)).toBe(2 * 200 * keys.length))
  })

  it('FD-12 goes on where it was after a restart', async () => {
    const first = await portal.startFeed()
    for (const n of numbers(20)) await portal.append(n, keys)
    await waitFor(async () => expect(await messagesInKafka(admin, url)).toBe(20 * keys.length))
    await first.stop()
    expect(first.isLeading()).toBe(false)
    await portal.append(20, keys)
    await portal.startFeed()
    const tally = await follow()
    await expectAll(tally, 21)
    expect(await messagesInKafka(admin, url)).toBe(21 * keys.length)
  })

  it('FD-13 publishes everything again when Kafka was reset: before it starts, and while it runs', async () => {
    const first = await portal.startFeed()
    for (const n of numbers(20)) await portal.append(n, keys)
    await waitFor(async () => expect(await messagesInKafka(admin, url)).toBe(20 * keys.length))
    await first.stop()
    await removeTopics(url)
    const second = await portal.startFeed()
    await waitFor(async () => expect(await messagesInKafka(admin, url)).toBe(20 * keys.length))
    await removeTopics(url)
    await waitFor(async () => expect(await messagesInKafka(admin, url)).toBe(20 * keys.length))
    await portal.append(20, keys)
    await expectAll(await follow(), 21)
    await waitFor(() => expect(second.check()).resolves.toBeUndefined())
  })

  it('FD-14 stops, and says so, before an event that it cannot translate, until it can', async () => {
    let isUnderstood = false
    const feed = await portal.startFeed({
      publishers: [
        {
          category: 'test',
          publish(recorded) {
            const messages = testPublisher.publish(recorded)
            if (!isUnderstood && messages.some(({ data }) => 'n' in data && data.n === 5)) throw new Error('unknown')
            return messages
          },
        },
      ],
    })
    for (const n of numbers(10)) await portal.append(n, keys)
    const tally = await follow()
    await expectAll(tally, 5)
    await waitFor(() => expect(feed.check()).rejects.toThrow('cannot publish'))
    isUnderstood = true
    await expectAll(tally, 10)
    await waitFor(() => expect(feed.check()).resolves.toBeUndefined())
  })

  it('FD-15 keeps the partition of each key, also when the topic gets more partitions', async () => {
    const first = await portal.startFeed()
    for (const n of numbers(5)) await portal.append(n, keys)
    await waitFor(async () => expect(await messagesInKafka(admin, url)).toBe(5 * keys.length))
    await first.stop()
    await addPartitions(url, 'notifications', 16)
    await portal.startFeed()
    for (const n of numbers(5)) await portal.append(5 + n, keys)
    const partitions = new Map<string, Set<string>>()
    const tally = createTally()
    await (
      await portal.openBus()
    ).consume({
      ...tally.consumer,
      async handle(deliveries) {
        await tally.consumer.handle(deliveries)
        for (const { envelope, busPartition } of deliveries) {
          partitions.set(envelope.key, (partitions.get(envelope.key) ?? new Set()).add(busPartition))
        }
      },
    })
    await expectAll(tally, 10)
    expect([...partitions.values()].map(({ size }) => size)).toEqual(keys.map(() => 1))
  })
})
