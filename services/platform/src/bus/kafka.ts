import type { Topic } from '@portal/contracts/shared/event-envelope'
import type { Logger } from 'pino'
import { createBackoff } from '../async/backoff.ts'
import { parseKafkaAddress } from './kafka/address.ts'
import { openKafkaAdmin } from './kafka/admin.ts'
import type { Log } from './kafka/crossing.ts'
import { cursorOf, hasPassed, type Place, placeOf } from './kafka/cursor.ts'
import { kafkaState } from './kafka/kafka-state.ts'
import { type Member, runMember } from './kafka/member.ts'
import { openMessageReader } from './kafka/message-reader.ts'
import { topicName } from './kafka/topics.ts'
import type { Bus, Consumer, Cursor } from './port.ts'
import type { Publisher } from './publisher.ts'
import { createRelay } from './relay.ts'

export type KafkaBusOptions = {
  /** See bus/kafka/address.ts. */
  readonly url: string
  /** What Kafka does not hold is read from here. A process that has none has no consumers but those that start 'now'. */
  readonly log?: Log
  /** All that publish what is consumed here. */
  readonly publishers: readonly Publisher[]
  readonly logger: Logger
}

const placeAt = (cursor: Cursor | undefined): Place | undefined => (cursor === undefined ? undefined : placeOf(cursor))

const isOtherTopic = (partition: string, topics: readonly Topic[] | undefined): boolean =>
  topics !== undefined && !topics.some((topic) => partition.startsWith(`${topic}-`))

/**
 * The bus on Kafka: a topic per context, its messages spread over partitions by their keys. Consumers keep their cursors
 * themselves; the group only shares out the partitions. It is open at once, whether Kafka answers or not: consumers
 * begin when it does, and `check` says so.
 */
export const openKafkaBus = async ({ url, log, publishers, logger }: KafkaBusOptions): Promise<Bus> => {
  const address = parseKafkaAddress(url)
  const admin = openKafkaAdmin(address, logger)
  const reader = openMessageReader(address, logger)
  const state = kafkaState({ admin, reader })
  // A log of which nothing becomes messages would be read without finding any.
  const source = log && publishers.length > 0 ? { log, relay: createRelay(publishers) } : undefined
  const closing = new AbortController()
  const members = new Set<Member>()
  const open = () => {
    if (closing.signal.aborted) throw new Error('The bus is closed')
  }

  /** Until it succeeds, or the bus is closed. */
  const persist = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    const backoff = createBackoff({ firstMs: 100, maxMs: 2_000 })
    for (let failures = 0; ; failures++) {
      open()
      try {
        return await work()
      } catch (error) {
        if (failures === 0) logger.warn({ err: error }, `Kafka does not answer (${what}), will try again`)
        await backoff.pause(closing.signal)
      }
    }
  }

  const topicsReady = persist('preparing the topics', admin.prepare)
  // Consumers wait for it; without any, nobody does.
  topicsReady.catch(() => undefined)

  const ends = async ({ topics }: Consumer): Promise<ReadonlyMap<string, Place>> => {
    const found = new Map<string, Place>()
    for (const topic of topics) {
      const places = await state.ends(topicName(address, topic))
      for (const [partition, place] of places) found.set(`${topic}-${partition}`, place)
    }
    return found
  }

  const endsNow = async (consumer: Consumer) => {
    await topicsReady
    return persist('asking for offsets', () => ends(consumer))
  }

  return {
    async consume(consumer) {
      open()
      const beginnings: ReadonlyMap<string, Place> = consumer.startAt === 'now' ? await endsNow(consumer) : new Map()
      open()
      const member = runMember({
        address,
        state,
        source,
        consumer,
        logger,
        beginnings,
        topicsReady: () => topicsReady,
      })
      members.add(member)
      return {
        // An empty partition has nothing that a consumer could have yet to handle.
        startedAt: Object.fromEntries(
          [...beginnings].flatMap(([name, end]) => (end.position === undefined ? [] : [[name, cursorOf(end)]])),
        ),
        async stop() {
          await member.stop()
          members.delete(member)
        },
      }
    },
    hasReached: (cursors, target, topics) =>
      Object.entries(target).every(
        ([name, cursor]) => isOtherTopic(name, topics) || hasPassed(placeAt(cursors[name]), placeAt(cursor) ?? {}),
      ),
    async check() {
      open()
      await admin.check()
      for (const member of members) member.check()
    },
    async close() {
      closing.abort()
      await Promise.all([...members].map((member) => member.stop()))
      await admin.close()
      await reader.close()
    },
  }
}
