import type { Topic } from '@portal/contracts/shared/event-envelope'
import type { Logger } from 'pino'
import { createBackoff, retryUntilAborted } from '../async/backoff.ts'
import { createRunningState } from '../async/running-state.ts'
import { parseKafkaAddress } from './kafka/address.ts'
import { openKafkaAdmin } from './kafka/admin.ts'
import { type RunningConsumer, startKafkaConsumer } from './kafka/consumer/consumer.ts'
import type { Log } from './kafka/consumer/log-catch-up.ts'
import { type ConsumerPosition, cursorOf, hasPassed, parseCursor } from './kafka/cursor.ts'
import { createTopicReader, openMessageReader } from './kafka/topic-reader.ts'
import { topicName } from './kafka/topics.ts'
import type { Bus, Consumer, Cursor } from './port.ts'
import type { Publisher } from './publisher.ts'
import { createRelay, requirePublishers } from './relay.ts'

type KafkaBusOptions = {
  /** See bus/kafka/address.ts. */
  readonly url: string
  /** Messages that Kafka has lost are read from the log. A process without it has only consumers with startAt 'now'. */
  readonly log?: Log
  /** The publishers of everything that is consumed here, unless it starts 'now'. */
  readonly publishers: readonly Publisher[]
  readonly logger: Logger
}

const positionAt = (cursor: Cursor | undefined): ConsumerPosition | undefined =>
  cursor === undefined ? undefined : parseCursor(cursor)

const isOtherTopic = (partition: string, topics: readonly Topic[] | undefined): boolean =>
  topics !== undefined && !topics.some((topic) => partition.startsWith(`${topic}-`))

/**
 * The bus on Kafka: one topic per context, whose messages are spread over partitions by key. Consumers save their cursors
 * themselves; the consumer group only assigns partitions. Opening does not wait for Kafka: consumers start when it answers, and
 * `check` rejects until then.
 */
export const openKafkaBus = async ({ url, log, publishers, logger }: KafkaBusOptions): Promise<Bus> => {
  const address = parseKafkaAddress(url)
  const admin = openKafkaAdmin(address, logger)
  const reader = openMessageReader(address, logger)
  const topicReader = createTopicReader({ admin, reader })
  // Without publishers, no event of the log becomes a message.
  const source = log && publishers.length > 0 ? { log, relay: createRelay(publishers) } : undefined
  const running = createRunningState(() => new Error('The bus is closed'))
  const consumers = new Set<RunningConsumer>()

  /** Rejects when the bus is closed before the request succeeds. */
  const retryUntilClosed = async <T>(operation: string, request: () => Promise<T>): Promise<T> => {
    const result = await retryUntilAborted(async () => ({ value: await request() }), {
      signal: running.signal,
      backoff: createBackoff({ firstMs: 100, maxMs: 2_000 }),
      onFailure(error, failures) {
        if (failures === 1) logger.warn({ err: error, operation }, 'kafka does not answer, retrying')
      },
    })
    if (result !== undefined) return result.value
    throw new Error('The bus is closed')
  }

  const topicsReady = retryUntilClosed('preparing the topics', admin.prepare)
  // Without consumers, nothing else handles its rejection.
  topicsReady.catch(() => undefined)

  const readEnds = async ({ topics }: Consumer): Promise<ReadonlyMap<string, ConsumerPosition>> => {
    const found = new Map<string, ConsumerPosition>()
    for (const topic of topics) {
      const ends = await topicReader.ends(topicName(address, topic))
      for (const [partition, end] of ends) found.set(`${topic}-${partition}`, end)
    }
    return found
  }

  const beginningsOf = async (consumer: Consumer): Promise<ReadonlyMap<string, ConsumerPosition>> => {
    if (consumer.startAt !== 'now') return new Map()
    await topicsReady
    return retryUntilClosed('fetching offsets', () => readEnds(consumer))
  }

  return {
    async consume(consumer) {
      running.assertRunning()
      const { group, topics, startAt } = consumer
      if (log && startAt !== 'now') requirePublishers(publishers, { reader: group, topics })
      const beginnings = await beginningsOf(consumer)
      running.assertRunning()
      const started = startKafkaConsumer({
        address,
        topicReader,
        source,
        consumer,
        logger,
        beginnings,
        topicsReady: () => topicsReady,
      })
      consumers.add(started)
      return {
        // An empty partition has nothing to wait for.
        startedAt: Object.fromEntries(
          [...beginnings].flatMap(([name, end]) => (end.position === undefined ? [] : [[name, cursorOf(end)]])),
        ),
        async stop() {
          await started.stop()
          consumers.delete(started)
        },
      }
    },
    hasReached: (cursors, target, topics) =>
      Object.entries(target).every(
        ([name, cursor]) =>
          isOtherTopic(name, topics) || hasPassed(positionAt(cursors[name]), positionAt(cursor) ?? {}),
      ),
    async check() {
      running.assertRunning()
      await admin.check()
      for (const consumer of consumers) consumer.check()
    },
    async close() {
      running.stop()
      await Promise.all([...consumers].map((consumer) => consumer.stop()))
      await admin.close()
      await reader.close()
    },
  }
}
