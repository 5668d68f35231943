import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import type { FoundDiscontinuity } from '../../../discontinuity/discontinuity.ts'
import type { EventStore } from '../../../event-store/port.ts'
import { openSqliteReadModel } from '../../../read-model/sqlite.ts'
import { UnknownEventTypeError } from '../../../decider/stored-event.ts'
import { parseKafkaAddress } from '../address.ts'
import { type KafkaAdmin, openKafkaAdmin } from '../admin.ts'
import { moveLogPublishers } from './checkpoint.ts'
import {
  createTally,
  forkUntilReady,
  killNow,
  openTestPortal,
  type TestPortal,
} from '@portal/platform/testing/bus/kafka/portal'
import { addPartitions, messagesInKafka, removeTopics } from '@portal/platform/testing/bus/kafka/topics'
import { testPublisher } from '@portal/platform/testing/bus/log-with-messages'
import { type LogPosition, logPosition } from '../../log-cursor.ts'
import type { Consumer } from '../../port.ts'
import type { LogPublisherOptions, Publisher } from '../../publisher.ts'
import { until } from '../../../../testing/until.ts'

const logger = pino({ level: 'silent' })
const keys = Array.from({ length: 8 }, (_, i) => `key-${i}`)
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)
const endOf = async (log: Pick<EventStore, 'subscribe'>): Promise<LogPosition> => {
  const found = new AbortController()
  for await (const item of log.subscribe('start', 'all', found.signal)) {
    if (item.kind === 'caught-up') return logPosition(item.position, item.eventId)
  }
  return 'start'
}
const waitFor = <T>(probe: () => T | Promise<T>) => until(probe, { timeoutMs: 40_000 })

describe('the Kafka log publisher', { timeout: 90_000 }, () => {
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

  const follow = async (options: Partial<Consumer> = {}) => {
    const tally = createTally(options)
    await (await portal.openBus()).consume(tally.consumer)
    return tally
  }
  /** A live consumer never reads the log, which has the events that are not published yet. */
  const followKafkaOnly = () => follow({ startAt: 'now' })
  const expectAll = async (tally: ReturnType<typeof createTally>, count: number) => {
    await waitFor(() => expect(keys.map((key) => tally.applied.get(key)?.length ?? 0)).toEqual(keys.map(() => count)))
    for (const key of keys) expect(tally.applied.get(key)).toEqual(numbers(count))
  }

  it('FD-10 takes over from a killed process without losing a message or the order of a key', async () => {
    const tally = await follow()
    const killed = await forkUntilReady('log-publisher-process.ts', [url, portal.folder, portal.eventsFile])
    undo.push(() => killNow(killed))
    const logPublisher = await portal.startLogPublisher()
    for (const n of numbers(200)) await portal.append(n, keys)
    await waitFor(() => expect(tally.deliveries()).toBeGreaterThan(100))
    expect(logPublisher.isLeading()).toBe(false)
    await killNow(killed)
    for (const n of numbers(100)) await portal.append(200 + n, keys)
    await expectAll(tally, 300)
    // Consumers may have read all of it from the log before.
    await waitFor(() => expect(logPublisher.isLeading()).toBe(true))
  })

  it('FD-11 two that publish at once do no harm', async () => {
    const tally = await follow()
    const elsewhere = openSqliteReadModel({ path: ':memory:', namespace: 'control' })
    undo.push(() => elsewhere.close())
    // Otherwise one may resume after messages that the other has already published.
    for (const own of [portal.readModel, elsewhere]) await moveLogPublishers(url, own, ['test'], 'start')
    const logPublishers = [await portal.startLogPublisher(), await portal.startLogPublisher({ control: elsewhere })]
    undo.push(() => Promise.all(logPublishers.map((logPublisher) => logPublisher.stop())))
    for (const n of numbers(100)) await portal.append(n, keys)
    await waitFor(() => expect(logPublishers.every((logPublisher) => logPublisher.isLeading())).toBe(true))
    for (const n of numbers(100)) await portal.append(100 + n, keys)
    await expectAll(tally, 200)
    await waitFor(async () => expect(await messagesInKafka(admin, url)).toBe(2 * 200 * keys.length))
  })

  it('FD-12 resumes at its checkpoint after a restart', async () => {
    const first = await portal.startLogPublisher()
    for (const n of numbers(20)) await portal.append(n, keys)
    await waitFor(async () => expect(await messagesInKafka(admin, url)).toBe(20 * keys.length))
    await first.stop()
    expect(first.isLeading()).toBe(false)
    await portal.append(20, keys)
    await portal.startLogPublisher()
    const tally = await follow()
    await expectAll(tally, 21)
    await waitFor(async () => expect(await messagesInKafka(admin, url)).toBe(21 * keys.length))
  })

  it('FD-13 resumes at its checkpoint after Kafka was reset, before its start or while it runs, and consumers miss nothing', async () => {
    const first = await portal.startLogPublisher()
    const tally = await follow()
    for (const n of numbers(20)) await portal.append(n, keys)
    await waitFor(async () => expect(await messagesInKafka(admin, url)).toBe(20 * keys.length))
    await first.stop()
    await removeTopics(url)
    const second = await portal.startLogPublisher()
    await portal.append(20, keys)
    // Consumers may read it from the log before the log publisher has written it.
    await expectAll(tally, 21)
    await waitFor(async () => expect(await messagesInKafka(admin, url)).toBe(keys.length))
    await removeTopics(url)
    for (const n of numbers(3)) await portal.append(21 + n, keys)
    await expectAll(tally, 24)
    await expectAll(await follow({ group: 'another' }), 24)
    await waitFor(() => expect(second.check()).resolves.toBeUndefined())
  })

  it('FD-17 resumes after its own last messages in Kafka if its checkpoint is lost', async () => {
    const first = await portal.startLogPublisher()
    for (const n of numbers(20)) await portal.append(n, keys)
    await waitFor(async () => expect(await messagesInKafka(admin, url)).toBe(20 * keys.length))
    await portal.append(20, keys)
    await waitFor(async () => expect(await messagesInKafka(admin, url)).toBe(21 * keys.length))
    await first.stop()
    // Redis has lost its data.
    const readModel = openSqliteReadModel({ path: ':memory:', namespace: 'control' })
    undo.push(() => readModel.close())
    const second = await portal.startLogPublisher({ control: readModel })
    undo.push(() => second.stop())
    for (const n of numbers(5)) await portal.append(21 + n, keys)
    await expectAll(await follow(), 26)
    // Only the last messages are repeated.
    await waitFor(async () => expect(await messagesInKafka(admin, url)).toBe(27 * keys.length))
  })

  it('FD-18 is halted while the log does not have its checkpoint, until the discontinuity is closed', async () => {
    const first = await portal.startLogPublisher()
    for (const n of numbers(5)) await portal.append(n, keys)
    await waitFor(async () => expect(await messagesInKafka(admin, url)).toBe(5 * keys.length))
    await first.stop()
    // The log was restored from an older copy and has outgrown the checkpoint since.
    const other = await openTestPortal(url)
    undo.push(() => other.close())
    for (const n of numbers(9)) await other.append(n, keys)
    const found: FoundDiscontinuity[] = []
    let isOpen = false
    const report = (each: FoundDiscontinuity) => {
      found.push(each)
      isOpen = true
    }
    const logPublisher = await portal.startLogPublisher({
      eventStore: other.eventStore,
      discontinuity: { report, isOpen: () => isOpen },
    })
    await waitFor(() => expect(found).toMatchObject([{ cause: 'log-older' }]))
    await waitFor(() => expect(logPublisher.check()).rejects.toThrow('is halted'))
    expect(await messagesInKafka(admin, url)).toBe(5 * keys.length)
    // `make replay` moves its checkpoint to the end of the log.
    const end = await endOf(other.eventStore)
    await moveLogPublishers(url, portal.readModel, ['test'], end)
    isOpen = false
    await waitFor(() => expect(logPublisher.check()).resolves.toBeUndefined())
    await other.append(9, keys)
    await waitFor(async () => expect(await messagesInKafka(admin, url)).toBe(6 * keys.length))
    expect(found).toHaveLength(1)
  })

  it('FD-20 has at most one open subscription, however often it fails', { tags: ['verify'] }, async () => {
    let open = 0
    const eventStore: LogPublisherOptions['eventStore'] = {
      end: portal.eventStore.end,
      async *subscribe(after, filter, signal) {
        open++
        try {
          yield* portal.eventStore.subscribe(after, filter, signal)
        } finally {
          open--
        }
      },
    }
    let attempts = 0
    const publish = () => {
      attempts++
      throw new Error('unknown')
    }
    await portal.append(0, keys)
    await portal.startLogPublisher({ eventStore, publishers: [{ ...testPublisher, publish }] })
    await waitFor(() => expect(attempts).toBeGreaterThan(4))
    expect(open).toBeLessThanOrEqual(1)
  })

  it(
    'FD-14 is halted before an event that it cannot translate, and reports it, until it can',
    { tags: ['verify'] },
    async () => {
      let isUnderstood = false
      const logPublisher = await portal.startLogPublisher({
        publishers: [
          {
            ...testPublisher,
            publish(recorded) {
              const messages = testPublisher.publish(recorded)
              if (!isUnderstood && messages.some(({ data }) => 'n' in data && data.n === 5)) throw new Error('unknown')
              return messages
            },
          },
        ],
      })
      const tally = await followKafkaOnly()
      await portal.append(0, keys)
      await expectAll(tally, 1)
      for (const n of numbers(9)) await portal.append(1 + n, keys)
      await expectAll(tally, 5)
      await waitFor(() => expect(logPublisher.check()).rejects.toThrow('cannot publish'))
      isUnderstood = true
      await expectAll(tally, 10)
      await waitFor(() => expect(logPublisher.check()).resolves.toBeUndefined())
    },
  )

  it('FD-21 releases its lease before an unknown event type, so that a log publisher of the newer release continues', async () => {
    const older: Publisher = {
      ...testPublisher,
      publish(recorded) {
        const messages = testPublisher.publish(recorded)
        if (messages.some(({ data }) => 'n' in data && data.n === 2)) throw new UnknownEventTypeError(recorded.type)
        return messages
      },
    }
    const logPublisher = await portal.startLogPublisher({ publishers: [older] })
    const tally = await followKafkaOnly()
    await portal.append(0, keys)
    await expectAll(tally, 1)
    for (const n of numbers(3)) await portal.append(1 + n, keys)
    await expectAll(tally, 2)
    await waitFor(() => expect(logPublisher.check()).rejects.toThrow('Event type Tested of category test'))
    await waitFor(() => expect(logPublisher.isLeading()).toBe(false))
    const newer = await portal.startLogPublisher()
    await expectAll(tally, 4)
    expect(newer.isLeading()).toBe(true)
    await waitFor(() => expect(logPublisher.check()).resolves.toBeUndefined())
  })

  it('FD-15 keeps the partition of each key when the topic gets more partitions', async () => {
    const first = await portal.startLogPublisher()
    for (const n of numbers(5)) await portal.append(n, keys)
    await waitFor(async () => expect(await messagesInKafka(admin, url)).toBe(5 * keys.length))
    await first.stop()
    await addPartitions(url, 'notifications', 16)
    await portal.startLogPublisher()
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
