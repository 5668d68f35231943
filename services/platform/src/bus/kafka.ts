import type { Logger } from 'pino'
import { growingPauses } from './growing-pauses.ts'
import { parseKafkaAddress } from './kafka/address.ts'
import { openKafkaAdmin } from './kafka/admin.ts'
import { type Member, runMember } from './kafka/member.ts'
import { topicName } from './kafka/topics.ts'
import type { Bus, Consumer } from './port.ts'

export type KafkaBusOptions = {
  /** See bus/kafka/address.ts. */
  readonly url: string
  readonly logger: Logger
}

/**
 * The bus on Kafka: a topic per context, its messages spread over partitions by their keys. Consumers keep their cursors
 * themselves; the group only shares out the partitions. It is open at once, whether Kafka answers or not: consumers
 * begin when it does, and `check` says so.
 */
export const openKafkaBus = async ({ url, logger }: KafkaBusOptions): Promise<Bus> => {
  const address = parseKafkaAddress(url)
  const admin = openKafkaAdmin(address, logger)
  const closing = new AbortController()
  const members = new Set<Member>()
  const open = () => {
    if (closing.signal.aborted) throw new Error('The bus is closed')
  }

  /** Until it succeeds, or the bus is closed. */
  const persist = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    const pauses = growingPauses({ firstMs: 100, mostMs: 2_000 })
    for (let failures = 0; ; failures++) {
      open()
      try {
        return await work()
      } catch (error) {
        if (failures === 0) logger.warn({ err: error }, `Kafka does not answer (${what}), will try again`)
        await pauses.pause(closing.signal)
      }
    }
  }

  const topicsReady = persist('preparing the topics', admin.prepare)
  // Consumers wait for it; without any, nobody does.
  topicsReady.catch(() => undefined)

  const ends = async ({ topics }: Consumer): Promise<ReadonlyMap<string, bigint>> => {
    const found = new Map<string, bigint>()
    for (const topic of topics) {
      const bounds = await admin.bounds(topicName(address, topic))
      for (const [partition, { high }] of bounds) found.set(`${topic}-${partition}`, high)
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
      const beginnings = consumer.startAt === 'now' ? await endsNow(consumer) : undefined
      open()
      const member = runMember({ address, admin, consumer, logger, beginnings, topicsReady: () => topicsReady })
      members.add(member)
      return {
        async stop() {
          await member.stop()
          members.delete(member)
        },
      }
    },
    async check() {
      open()
      await admin.check()
      for (const member of members) member.check()
    },
    async close() {
      closing.abort()
      await Promise.all([...members].map((member) => member.stop()))
      await admin.close()
    },
  }
}
