import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest'
import type { Feed } from '../feed.ts'
import type { Consumer, Cursor } from '../port.ts'
import { parseKafkaAddress } from './address.ts'
import { openKafkaAdmin } from './admin.ts'
import { forkUntilReady, killNow } from './testing/forked.ts'
import { createTally, openTestPortal, type TestPortal } from './testing/portal.ts'
import { committedOffsets, deleteUpTo, put, removeTopics, whenPublished } from './testing/topics.ts'

const keys = Array.from({ length: 16 }, (_, i) => `key-${i}`)
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)
const waitFor = <T>(probe: () => T | Promise<T>) => vi.waitFor(probe, { timeout: 40_000, interval: 10 })
type Tally = ReturnType<typeof createTally>

describe('a consumer on Kafka', { timeout: 90_000 }, () => {
  let url: string
  let portal: TestPortal
  let feed: Feed
  const undo: (() => Promise<unknown>)[] = []

  beforeEach(async () => {
    url = `${inject('kafkaUrl')}?prefix=${randomUUID()}.`
    portal = await openTestPortal(url)
    feed = await portal.startFeed()
  })
  afterEach(async () => {
    for (const step of undo.splice(0).toReversed()) await step()
    await portal.close()
    await removeTopics(url)
  })

  const consume = async (consumer: Consumer) => (await portal.openBus()).consume(consumer)
  const appendAll = async (from: number, to: number) => {
    for (let n = from; n < to; n++) await portal.append(n, keys)
  }
  const expectAll = async (tally: Tally, count: number) => {
    await waitFor(() => expect(keys.map((key) => tally.applied.get(key)?.length ?? 0)).toEqual(keys.map(() => count)))
    for (const key of keys) expect(tally.applied.get(key)).toEqual(numbers(count))
  }
  /** A key and those of other partitions. */
  const partitionsOfKeys = async (): Promise<ReadonlyMap<string, string>> => {
    const partitions = new Map<string, string>()
    const subscription = await consume({
      ...createTally().consumer,
      group: 'where',
      handle: async (deliveries) => deliveries.forEach((d) => partitions.set(d.envelope.key, d.busPartition)),
    })
    await waitFor(() => expect(partitions.size).toBe(keys.length))
    await subscription.stop()
    return partitions
  }

  it('BUS-40 hands partitions over cleanly under load: no message is lost, and no two members have one partition', async () => {
    const tally = createTally()
    const busy = new Map<string, string>()
    const overlaps: string[] = []
    const members = new Map<string, number>()
    const member = (name: string): Consumer => ({
      ...tally.consumer,
      maxBatch: 200,
      async handle(deliveries) {
        const busPartition = deliveries[0]?.busPartition ?? ''
        if (busy.has(busPartition)) overlaps.push(`${name} beside ${busy.get(busPartition)} on ${busPartition}`)
        busy.set(busPartition, name)
        // Longer than another member takes to begin.
        await delay(800)
        await tally.consumer.handle(deliveries)
        members.set(name, (members.get(name) ?? 0) + deliveries.length)
        busy.delete(busPartition)
      },
    })
    let appended = 0
    let isEnough = false
    const appending = (async () => {
      for (; !isEnough; appended++) {
        await portal.append(appended, keys)
        await delay(10)
      }
    })()
    const hasWorked = (name: string) => waitFor(() => expect(members.get(name) ?? 0).toBeGreaterThan(100))
    await consume(member('a'))
    await hasWorked('a')
    const second = await consume(member('b'))
    await hasWorked('b')
    await consume(member('c'))
    await hasWorked('c')
    await second.stop()
    isEnough = true
    await appending
    await expectAll(tally, appended)
    expect(overlaps).toEqual([])
  })

  it('BUS-41 a partition that fails or hangs holds up no other of the same consumer', async () => {
    await appendAll(0, 1)
    const partitions = await partitionsOfKeys()
    const [first, second, ...others] = [...new Set(partitions.values())].toSorted()
    const tally = createTally()
    let isWell = false
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    await consume({
      ...tally.consumer,
      async handle(deliveries) {
        const busPartition = deliveries[0]?.busPartition
        if (busPartition === first && !isWell) throw new Error('not now')
        if (busPartition === second) await released
        await tally.consumer.handle(deliveries)
      },
    })
    await appendAll(1, 30)
    const wellKeys = keys.filter((key) => others.includes(partitions.get(key) ?? ''))
    expect(wellKeys.length).toBeGreaterThan(0)
    await waitFor(() => expect(wellKeys.map((key) => tally.applied.get(key)?.length)).toEqual(wellKeys.map(() => 30)))
    expect(tally.applied.size).toBe(wellKeys.length)
    isWell = true
    release()
    await expectAll(tally, 30)
  })

  it('BUS-42 replaces a member that was killed', async () => {
    const killed = await (async () => {
      await appendAll(0, 5)
      return forkUntilReady('member-process.ts', [url, 'tally'])
    })()
    undo.push(() => killNow(killed))
    const tally = createTally()
    await consume(tally.consumer)
    await killNow(killed)
    await expectAll(tally, 5)
  })

  it('BUS-43 starts over when Kafka was reset, though it has grown past the cursor since', async () => {
    await appendAll(0, 10)
    const before = createTally()
    const subscription = await consume(before.consumer)
    await expectAll(before, 10)
    await subscription.stop()

    await feed.stop()
    await removeTopics(url)
    const other = await openTestPortal(url)
    undo.push(() => other.close())
    await other.startFeed({ service: 'other' })
    for (let n = 0; n < 30; n++) await other.append(n, [...keys, ...keys])
    const admin = openKafkaAdmin(parseKafkaAddress(url), pino({ level: 'silent' }))
    undo.push(() => admin.close())
    await whenPublished(admin, url, 30 * 2 * keys.length)
    const after = createTally({ loadCursors: async () => ({ ...before.cursors }) })
    await consume(after.consumer)
    await waitFor(() => expect(after.applied.size).toBe(keys.length))
    for (const key of keys) expect(after.applied.get(key)?.[0]).toBe(0)
  })

  it('BUS-43 starts over when Kafka was reset and is emptier than the cursor', async () => {
    await appendAll(0, 3)
    const cursors = Object.fromEntries(
      numbers(4).map((n) => [`notifications-${n}`, '1000000@00000000000000000009:00' as Cursor]),
    )
    const tally = createTally({ loadCursors: async () => cursors })
    await consume(tally.consumer)
    await expectAll(tally, 3)
  })

  it('BUS-44 goes on at the first message that is left when retention has passed its cursor', async () => {
    await appendAll(0, 10)
    const partitions = await partitionsOfKeys()
    const tally = createTally()
    const subscription = await consume({ ...tally.consumer, maxBatch: 1 })
    await expectAll(tally, 10)
    await subscription.stop()
    const early = Object.fromEntries([...new Set(partitions.values())].map((name) => [name, '0' as Cursor]))
    await deleteUpTo(url, 'notifications', 5n)
    const late = createTally({ loadCursors: async () => early })
    const offsets: number[] = []
    await consume({
      ...late.consumer,
      async handle(deliveries) {
        offsets.push(...deliveries.map(({ cursor }) => Number(cursor.split('@')[0])))
        await late.consumer.handle(deliveries)
      },
    })
    await waitFor(() => expect(keys.map((key) => late.applied.get(key)?.at(-1))).toEqual(keys.map(() => 9)))
    expect(Math.min(...offsets)).toBe(5)
  })

  it('BUS-45 tells the broker how far it is, but not for a consumer that starts now', async () => {
    await appendAll(0, 5)
    const tally = createTally()
    const subscription = await consume(tally.consumer)
    const now = createTally({ group: 'now', startAt: 'now' })
    const nowSubscription = await consume(now.consumer)
    await appendAll(5, 6)
    await expectAll(tally, 6)
    await waitFor(() => expect(now.applied.size).toBe(keys.length))
    await subscription.stop()
    await nowSubscription.stop()
    expect(await committedOffsets(url, 'tally', 'notifications')).toBe(6 * keys.length)
    expect(await committedOffsets(url, 'now', 'notifications')).toBe(0)
  })

  it('BUS-48 stands still before a message that is no envelope, and only its partition does', async () => {
    await appendAll(0, 2)
    const partitions = await partitionsOfKeys()
    const [key = ''] = keys
    await put(url, 'notifications', [{ key, value: '{"by":"somebody else"}' }])
    await appendAll(2, 5)
    const tally = createTally()
    const bus = await portal.openBus()
    await bus.consume(tally.consumer)
    const elsewhere = keys.filter((other) => partitions.get(other) !== partitions.get(key))
    await waitFor(() =>
      expect(elsewhere.map((other) => tally.applied.get(other)?.length)).toEqual(elsewhere.map(() => 5)),
    )
    await waitFor(() => expect(bus.check()).rejects.toThrow('stands still'))
    expect(tally.applied.get(key)).toEqual([0, 1])
  })

  it('BUS-46 a member without partitions has caught up', async () => {
    let caughtUp = 0
    const members = numbers(6).map(() => createTally({ onCaughtUp: () => caughtUp++ }))
    await Promise.all(members.map(({ consumer }) => consume(consumer)))
    await waitFor(() => expect(caughtUp).toBeGreaterThanOrEqual(6))
  })
})
