import { type Envelope, type Topic, topics } from '@portal/contracts/shared/event-envelope'
import type { Logger } from 'pino'
import { withTimeout } from '../async/timeout.ts'
import { type KafkaAddress, parseKafkaAddress } from '../bus/kafka/address.ts'
import { openKafkaAdmin } from '../bus/kafka/admin.ts'
import { createKafkaClient, rootCauseOf } from '../bus/kafka/client.ts'
import { type Bounds, handledUpTo, parseCursor } from '../bus/kafka/cursor.ts'
import { loadCheckpoint, logPublisherName } from '../bus/kafka/producer/checkpoint.ts'
import { createTopicReader, openMessageReader } from '../bus/kafka/topic-reader.ts'
import { destinationOf, topicName, topicNames } from '../bus/kafka/topics.ts'
import { currentLeader } from '../bus/lease.ts'
import type { Cursor } from '../bus/port.ts'
import type { Position } from '../event-store/port.ts'
import type { ReadModel } from '../read-model/port.ts'

/** What a bus partition holds, and the position of its last message. */
export type PartitionContent = Bounds & { readonly last?: string | undefined }

/** For operations: what Kafka holds, and how far consumers and feeds are in it. Changes nothing there. */
export type KafkaInspector = {
  check(): Promise<void>
  /** What each bus partition (`notifications-3`) holds. Asked once. */
  bounds(): Promise<ReadonlyMap<string, PartitionContent>>
  /** How many messages of a partition lie behind a cursor; all, where the cursor names a place in the log. */
  behind(cursor: string | undefined, held: PartitionContent): bigint
  /** Messages up to this position have been handled by a consumer at the cursor. */
  positionOf(cursor: string | undefined): string | undefined
  /** Tells the bus partition that a message goes to. */
  partitioning(): Promise<(envelope: Envelope) => string>
  close(): Promise<void>
}

const layoutOf = (address: KafkaAddress, bounds: ReadonlyMap<string, Bounds>): ReadonlyMap<string, number> =>
  new Map(
    topics.map((topic: Topic) => [
      topicName(address, topic),
      [...bounds.keys()].filter((name) => name.slice(0, name.lastIndexOf('-')) === topic).length,
    ]),
  )

export const inspectKafka = (busUrl: string, logger: Logger): KafkaInspector => {
  const address = parseKafkaAddress(busUrl)
  const admin = openKafkaAdmin(address, logger)
  const reader = openMessageReader(address, logger)
  const topicReader = createTopicReader({ admin, reader })
  let asked: Promise<ReadonlyMap<string, PartitionContent>> | undefined

  /** A topic that nobody has made yet holds nothing. */
  const boundsOf = async (topic: Topic): Promise<ReadonlyMap<number, Bounds>> => {
    try {
      return await admin.bounds(topicName(address, topic))
    } catch (error) {
      const cause = rootCauseOf(error)
      if (cause instanceof Error && 'type' in cause && cause.type === 'UNKNOWN_TOPIC_OR_PARTITION') return new Map()
      throw error
    }
  }

  const readTopics = async (): Promise<ReadonlyMap<string, PartitionContent>> => {
    const found = new Map<string, PartitionContent>()
    for (const topic of topics) {
      const bounds = await boundsOf(topic)
      const ends = bounds.size === 0 ? new Map() : await topicReader.ends(topicName(address, topic))
      for (const [partition, held] of bounds) {
        found.set(`${topic}-${partition}`, { ...held, last: ends.get(partition)?.position })
      }
    }
    return found
  }
  const bounds = () => (asked ??= readTopics())
  // Only ever given what was loaded as a consumer's cursors.
  const positionAt = (cursor: string | undefined) => (cursor === undefined ? undefined : parseCursor(cursor as Cursor))

  return {
    check: admin.check,
    bounds,
    behind: (cursor, { low, high, last }) => {
      const at = positionAt(cursor)
      if (last !== undefined && handledUpTo(at) >= last) return 0n
      const next = (at?.offset ?? -1n) + 1n
      return high - (next < low || next > high ? low : next)
    },
    positionOf: (cursor) => positionAt(cursor)?.position && handledUpTo(positionAt(cursor)),
    partitioning: async () => {
      const destination = destinationOf(address, layoutOf(address, await bounds()))
      return (envelope) => `${envelope.topic}-${destination(envelope).partition}`
    },
    async close() {
      await admin.close()
      await reader.close()
    },
  }
}

/** How long nobody has led before it counts as nobody. */
const leaseLengthMs = 3_000

export type LogPublisherProgress = {
  readonly service: string
  /** Up to there, what the service has recorded is in Kafka. Undefined before the first start. */
  readonly position: Position | 'start' | undefined
  /** Who carries it over; undefined when nobody does. */
  readonly leader: string | undefined
}

/** How far the feed of each service is. They are named after the topics that they fill. */
export const loadLogPublisherProgress = (
  busUrl: string,
  control: ReadModel,
): Promise<readonly LogPublisherProgress[]> => {
  const address = parseKafkaAddress(busUrl)
  return Promise.all(
    topics.map(async (service) => {
      const feed = logPublisherName(address, service)
      const [checkpoint, leader] = await Promise.all([
        loadCheckpoint(control, feed),
        currentLeader(control, feed, leaseLengthMs),
      ])
      return { service, position: checkpoint?.position, leader }
    }),
  )
}

const deadlineMs = 10_000
/** ConfigResourceTypes.TOPIC, which kafkajs exports in a way that modules cannot import. */
const topicResource = 2

export type TopicReport = {
  readonly topic: string
  readonly partitions: number
  /** Copies of the partition that has the fewest. */
  readonly replicas: number
  readonly retentionMs: number
  readonly cleanupPolicy: string
}

export type KafkaReport = {
  readonly brokers: number
  /** What the address asks for. */
  readonly configured: { readonly partitions: number; readonly replication: number; readonly retentionHours: number }
  /** Those that exist. */
  readonly topics: readonly TopicReport[]
  readonly missing: readonly string[]
}

/** How Kafka and the portal's topics there are laid out. Rejects when there is no answer in time. */
export const inspectTopics = async (busUrl: string, logger: Logger): Promise<KafkaReport> => {
  const address = parseKafkaAddress(busUrl)
  const admin = createKafkaClient(address, logger).admin({ retry: { retries: 2 } })

  const reportsOn = async (names: readonly string[]): Promise<readonly TopicReport[]> => {
    if (names.length === 0) return []
    const [metadata, configs] = await Promise.all([
      admin.fetchTopicMetadata({ topics: [...names] }),
      admin.describeConfigs({
        includeSynonyms: false,
        resources: names.map((name) => ({ type: topicResource, name })),
      }),
    ])
    return metadata.topics.map(({ name, partitions }) => {
      const entries = configs.resources.find(({ resourceName }) => resourceName === name)?.configEntries ?? []
      const setting = (key: string) => entries.find(({ configName }) => configName === key)?.configValue
      return {
        topic: name,
        partitions: partitions.length,
        replicas: Math.min(...partitions.map(({ replicas }) => replicas.length)),
        retentionMs: Number(setting('retention.ms') ?? Number.NaN),
        cleanupPolicy: setting('cleanup.policy') ?? 'unknown',
      }
    })
  }

  const look = async (): Promise<KafkaReport> => {
    await admin.connect()
    const { brokers } = await admin.describeCluster()
    const known = new Set(await admin.listTopics())
    const names = topicNames(address)
    const { partitions, replication, retentionHours } = address
    return {
      brokers: brokers.length,
      configured: { partitions, replication, retentionHours },
      topics: await reportsOn(names.filter((name) => known.has(name))),
      missing: names.filter((name) => !known.has(name)),
    }
  }

  try {
    return await withTimeout(look(), deadlineMs, 'the answer of Kafka')
  } finally {
    void admin.disconnect().catch(() => undefined)
  }
}
