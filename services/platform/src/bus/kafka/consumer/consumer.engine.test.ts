import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Envelope } from '@portal/contracts/shared/event-envelope'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import type { FoundDiscontinuity } from '../../../discontinuity/discontinuity.ts'
import { UnknownEventTypeError } from '../../../decider/stored-event.ts'
import type { Consumer, Cursor } from '../../port.ts'
import type { LogPublisher, Publisher } from '../../publisher.ts'
import { createRelay } from '../../relay.ts'
import { unreadableEventIn } from '../../unreadable-event.ts'
import { parseKafkaAddress } from '../address.ts'
import { openKafkaAdmin } from '../admin.ts'
import {
  createTally,
  forkUntilReady,
  killNow,
  openTestPortal,
  type TestPortal,
} from '@portal/platform/testing/bus/kafka/portal'
import {
  committedOffsets,
  deleteUpTo,
  produce,
  produceEnvelopes,
  removeTopics,
  removeTopicsAndWait,
  whenPublished,
} from '@portal/platform/testing/bus/kafka/topics'
import { testPublisher } from '@portal/platform/testing/bus/log-with-messages'
import { until } from '../../../../testing/until.ts'

const keys = Array.from({ length: 16 }, (_, i) => `key-${i}`)
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)
const waitFor = <T>(probe: () => T | Promise<T>) => until(probe, { timeoutMs: 40_000 })
type Tally = ReturnType<typeof createTally>

describe('a consumer on Kafka', { timeout: 90_000 }, () => {
  let url: string
  let portal: TestPortal
  let logPublisher: LogPublisher
  const undo: (() => Promise<unknown>)[] = []

  beforeEach(async () => {
    url = `${inject('kafkaUrl')}?prefix=${randomUUID()}.`
    portal = await openTestPortal(url)
    logPublisher = await portal.startLogPublisher()
  })
  afterEach(async () => {
    for (const step of undo.splice(0).toReversed()) await step()
    await portal.close()
    await removeTopics(url)
  })

  const openAdmin = async () => {
    const admin = openKafkaAdmin(parseKafkaAddress(url), pino({ level: 'silent' }))
    undo.push(() => admin.close())
    return admin
  }
  const consume = async (consumer: Consumer) => (await portal.openBus()).consume(consumer)
  const appendAll = async (from: number, to: number) => {
    for (let n = from; n < to; n++) await portal.append(n, keys)
  }
  const expectAll = async (tally: Tally, count: number) => {
    await waitFor(() => expect(keys.map((key) => tally.applied.get(key)?.length ?? 0)).toEqual(keys.map(() => count)))
    for (const key of keys) expect(tally.applied.get(key)).toEqual(numbers(count))
  }
  /** A key, and the keys of other partitions. */
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

  it('BUS-40 reassigns partitions under load without losing messages or giving a partition two handlers', async () => {
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
        // Longer than another member takes to start.
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
    await second.stop()
    isEnough = true
    await appending
    await expectAll(tally, appended)
    expect(overlaps).toEqual([])
  })

  it('BUS-41 a partition that fails or hangs does not delay other partitions of its consumer', async () => {
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

  it('BUS-42 replaces a killed member', async () => {
    const killed = await (async () => {
      await appendAll(0, 5)
      return forkUntilReady('consumer-process.ts', [url, 'tally', portal.eventsFile])
    })()
    undo.push(() => killNow(killed))
    const tally = createTally()
    await consume(tally.consumer)
    await killNow(killed)
    await expectAll(tally, 5)
  })

  /** All messages of the log, as the relay translates them. */
  const envelopesOfLog = async () => {
    const relay = createRelay([testPublisher])
    const envelopes: Envelope[] = []
    for await (const event of portal.eventStore.read('test-1')) envelopes.push(...relay.translate(event))
    return envelopes
  }
  /** The first cursor that each partition delivers. */
  const firstCursors = async (): Promise<Readonly<Record<string, Cursor>>> => {
    const cursors: Record<string, Cursor> = {}
    const tally = createTally({ group: 'first' })
    const subscription = await consume({
      ...tally.consumer,
      async handle(deliveries) {
        await tally.consumer.handle(deliveries)
        for (const { busPartition, cursor } of deliveries) if (isNamed(cursor)) cursors[busPartition] ??= cursor
      },
    })
    await waitFor(() => expect(tally.applied.size).toBe(keys.length))
    await subscription.stop()
    return cursors
  }
  /** A cursor after the last message of its event. */
  const isNamed = (cursor: Cursor) => cursor.includes('#')

  it('BUS-43 reads the log after Kafka is reset under a running consumer', async () => {
    await appendAll(0, 5)
    const tally = createTally()
    await consume(tally.consumer)
    await expectAll(tally, 5)
    await removeTopics(url)
    await appendAll(5, 8)
    await expectAll(tally, 8)
    await appendAll(8, 10)
    await expectAll(tally, 10)
  })

  it('BUS-44 reads from the log what retention has deleted, and without a cursor the whole log', async () => {
    await appendAll(0, 2)
    const early = await firstCursors()
    await appendAll(2, 10)
    await consume(createTally({ group: 'whole' }).consumer)
    await whenPublished(await openAdmin(), url, 10 * keys.length)
    await deleteUpTo(url, 'notifications', 9n)
    const late = createTally({ group: 'late', loadCursors: async () => early })
    const fresh = createTally({ group: 'fresh' })
    for (const tally of [late, fresh]) await consume(tally.consumer)
    await waitFor(() => expect(keys.map((key) => late.applied.get(key)?.at(-1))).toEqual(keys.map(() => 9)))
    // Messages before its cursors are not redelivered.
    for (const key of keys)
      expect(late.applied.get(key)).toEqual(numbers(10).slice(-(late.applied.get(key)?.length ?? 0)))
    for (const key of keys) expect(late.applied.get(key)?.length).toBeGreaterThanOrEqual(8)
    await expectAll(fresh, 10)
    await appendAll(10, 11)
    await expectAll(fresh, 11)
    expect(fresh.deliveries()).toBe(11 * keys.length)
  })

  it('BUS-44 without a log, reports lost messages as a discontinuity and delivers nothing', async () => {
    await appendAll(0, 3)
    const found: FoundDiscontinuity[] = []
    const tally = createTally({ onDiscontinuity: (each) => found.push(each) })
    const bus = await portal.openBus({ hasLog: false })
    await bus.consume(tally.consumer)
    await waitFor(() => expect(found).toMatchObject([{ cause: 'bus-lost' }]))
    await expect(bus.check()).rejects.toThrow('is halted')
    expect(tally.deliveries()).toBe(0)
  })

  it('BUS-50 delivers nothing to a consumer whose cursor names an event that the log does not have', async () => {
    await appendAll(0, 2)
    const tally = createTally()
    const subscription = await consume(tally.consumer)
    await expectAll(tally, 2)
    await subscription.stop()
    const older = { ...portal.eventStore, holds: async () => false }
    const found: FoundDiscontinuity[] = []
    const bus = await portal.openBus({ log: older })
    await bus.consume({ ...tally.consumer, onDiscontinuity: (each) => found.push(each) })
    await appendAll(2, 3)
    await waitFor(() =>
      expect(found).toMatchObject([{ cause: 'log-older', missing: expect.stringContaining('position') }]),
    )
    await expect(bus.check()).rejects.toThrow('is halted')
    expect(tally.deliveries()).toBe(2 * keys.length)
  })

  it('BUS-51 reads the log up to its end first if the consumer has readsLogFirst', async () => {
    await logPublisher.stop()
    await appendAll(0, 3)
    let caughtUpWith: number | undefined
    const tally: Tally = createTally({
      readsLogFirst: true,
      onCaughtUp: () => (caughtUpWith ??= [...tally.applied.values()].flat().length),
    })
    const first = await consume(tally.consumer)
    await expectAll(tally, 3)
    await waitFor(() => expect(caughtUpWith).toBe(3 * keys.length))
    logPublisher = await portal.startLogPublisher()
    await appendAll(3, 5)
    await expectAll(tally, 5)
    // Kafka delivers them later, when they have been handled.
    expect(tally.deliveries()).toBe(5 * keys.length)
    await first.stop()
    await logPublisher.stop()
    await appendAll(5, 7)
    await consume(tally.consumer)
    await expectAll(tally, 7)
  })

  it("BUS-52 with startAt 'now', continues at the end after Kafka was reset, and calls onGap", async () => {
    await appendAll(0, 5)
    let gaps = 0
    const tally = createTally({ startAt: 'now', loadCursors: async () => ({}), onGap: () => gaps++ })
    await whenPublished(await openAdmin(), url, 5 * keys.length)
    const { startedAt } = await consume(tally.consumer)
    expect(Object.keys(startedAt).length).toBeGreaterThan(0)
    await appendAll(5, 6)
    await waitFor(() => expect(tally.applied.size).toBe(keys.length))
    await logPublisher.stop()
    await removeTopicsAndWait(url)
    await produceEnvelopes(url, await envelopesOfLog())
    await waitFor(() => expect(gaps).toBeGreaterThan(0))
    logPublisher = await portal.startLogPublisher()
    await appendAll(6, 7)
    await waitFor(() => expect(keys.map((key) => tally.applied.get(key)?.at(-1))).toEqual(keys.map(() => 6)))
    for (const key of keys) expect(tally.applied.get(key)).toEqual([5, 6])
  })

  it('BUS-45 commits offsets, except for a consumer with startAt now', async () => {
    await appendAll(0, 5)
    const tally = createTally()
    const subscription = await consume(tally.consumer)
    const now = createTally({ group: 'now', startAt: 'now' })
    const nowSubscription = await consume(now.consumer)
    await appendAll(5, 6)
    await expectAll(tally, 6)
    await waitFor(() => expect(now.applied.size).toBe(keys.length))
    // Checked before the stop, because the last commit has a timeout.
    const committed = () => committedOffsets(url, 'tally', 'notifications')
    await waitFor(async () => expect(await committed()).toBe(6 * keys.length))
    await subscription.stop()
    await nowSubscription.stop()
    expect(await committed()).toBe(6 * keys.length)
    expect(await committedOffsets(url, 'now', 'notifications')).toBe(0)
  })

  it('BUS-48 a message that is not an envelope stops its partition and no other', async () => {
    await appendAll(0, 2)
    const partitions = await partitionsOfKeys()
    const tally = createTally()
    const bus = await portal.openBus()
    await bus.consume(tally.consumer)
    await expectAll(tally, 2)
    const [key = ''] = keys
    await produce(url, 'notifications', [{ key, value: '{"by":"somebody else"}' }])
    await appendAll(2, 5)
    const elsewhere = keys.filter((other) => partitions.get(other) !== partitions.get(key))
    await waitFor(() =>
      expect(elsewhere.map((other) => tally.applied.get(other)?.length)).toEqual(elsewhere.map(() => 5)),
    )
    await waitFor(() => expect(bus.check()).rejects.toThrow('is failing'))
    expect(tally.applied.get(key)).toEqual([0, 1])
  })

  it('BUS-54 passes an unknown event type of other topics, and is halted before one of its own', async () => {
    const newer: Publisher = {
      category: 'newer',
      topics: ['auth'],
      publish: ({ type }) => {
        throw new UnknownEventTypeError(type)
      },
    }
    await portal.eventStore.append('newer-1', 'no-stream', [{ id: randomUUID(), type: 'Promoted', data: {} }])
    await appendAll(0, 3)
    const bus = await portal.openBus({ publishers: [testPublisher, newer] })
    const others = createTally({ group: 'others', topics: ['notifications'] })
    await bus.consume(others.consumer)
    await expectAll(others, 3)
    await expect(bus.check()).resolves.toBeUndefined()
    await bus.consume(createTally({ group: 'own', topics: ['auth'] }).consumer)
    await waitFor(async () => {
      const error = await bus.check().catch((reason: unknown) => reason)
      expect(unreadableEventIn(error)?.message).toContain('Event type Promoted of category newer')
    })
  })

  it('BUS-55 refuses a consumer that reads the log, if one of its topics has no publisher', async () => {
    await appendAll(0, 1)
    const bus = await portal.openBus({ publishers: [{ ...testPublisher, topics: ['notifications'] }] })
    const { consumer } = createTally({ topics: ['auth', 'notifications', 'catalog'] })
    const refusal = 'tally would miss messages in the log: this process has no publisher of auth, catalog'
    await expect(bus.consume(consumer)).rejects.toThrow(refusal)
    await bus.consume({ ...consumer, startAt: 'now' })
    const covered = createTally({ group: 'covered' })
    await bus.consume(covered.consumer)
    await expectAll(covered, 1)
  })

  it('BUS-46 a member without partitions has caught up', async () => {
    let caughtUp = 0
    const members = numbers(6).map(() => createTally({ onCaughtUp: () => caughtUp++ }))
    await Promise.all(members.map(({ consumer }) => consume(consumer)))
    await waitFor(() => expect(caughtUp).toBeGreaterThanOrEqual(6))
  })
})
