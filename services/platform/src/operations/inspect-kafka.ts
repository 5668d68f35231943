import { type Envelope, type Topic, topics } from '@portal/contracts/shared/event-envelope'
import type { Logger } from 'pino'
import { withTimeout } from '../async/timeout.ts'
import { type KafkaAddress, parseKafkaAddress } from '../bus/kafka/address.ts'
import { openKafkaAdmin } from '../bus/kafka/admin.ts'
import { createKafkaClient, rootCauseOf } from '../bus/kafka/client.ts'
import { type Bounds, handledUpTo, parseCursor } from '../bus/kafka/cursor.ts'
import { loadCheckpoint, logPublisherName } from '../bus/kafka/producer/checkpoint.ts'
import { logPublisherLeaseMs } from '../bus/kafka/producer/log-publisher.ts'
import { createTopicReader, openMessageReader } from '../bus/kafka/topic-reader.ts'
import { destinationOf, topicName, topicNames } from '../bus/kafka/topics.ts'
import { currentLeader } from '../bus/lease.ts'
import type { Cursor } from '../bus/port.ts'
import type { Position } from '../event-store/port.ts'
import type { ReadModel } from '../read-model/port.ts'

/** The offsets of a bus partition and the position of its last message. */
export type PartitionContent = Bounds & { readonly last?: string | undefined }

/** Reads topics and the progress of consumers and log publishers, for operators. Writes nothing. */
export type KafkaInspector = {
  check(): Promise<void>
  /** The content of each bus partition, such as `notifications-3`. */
  bounds(): Promise<ReadonlyMap<string, PartitionContent>>
  /** The number of messages after a cursor; all of them if the cursor is a position in the log. */
  behind(cursor: string | undefined, held: PartitionContent): bigint
  /** A consumer at the cursor has handled all messages up to this position. */
  positionOf(cursor: string | undefined): string | undefined
  /** Returns a function that maps a message to its bus partition. */
  partitioning(bounds: ReadonlyMap<string, Bounds>): (envelope: Envelope) => string
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

  /** A topic that does not exist yet is empty. */
  const boundsOf = async (topic: Topic): Promise<ReadonlyMap<number, Bounds>> => {
    try {
      return await admin.bounds(topicName(address, topic))
    } catch (error) {
      const cause = rootCauseOf(error)
      if (cause instanceof Error && 'type' in cause && cause.type === 'UNKNOWN_TOPIC_OR_PARTITION') return new Map()
      throw error
    }
  }

  const bounds = async (): Promise<ReadonlyMap<string, PartitionContent>> => {
    const found = new Map<string, PartitionContent>()
    for (const topic of topics) {
      const ofTopic = await boundsOf(topic)
      const ends = ofTopic.size === 0 ? new Map() : await topicReader.ends(topicName(address, topic))
      for (const [partition, held] of ofTopic) {
        found.set(`${topic}-${partition}`, { ...held, last: ends.get(partition)?.position })
      }
    }
    return found
  }
  // The text is always a loaded cursor.
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
    partitioning: (held) => {
      const destination = destinationOf(address, layoutOf(address, held))
      return (envelope) => `${envelope.topic}-${destination(envelope).partition}`
    },
    async close() {
      await admin.close()
      await reader.close()
    },
  }
}

export type LogPublisherProgress = {
  readonly service: string
  /** Events up to this position are in Kafka. Undefined before the first start. */
  readonly position: Position | 'start' | undefined
  /** The process that publishes; undefined if there is none. */
  readonly leader: string | undefined
}

/** The progress of each log publisher. Each service has the name of its topic. */
export const loadLogPublisherProgress = (
  busUrl: string,
  control: ReadModel,
): Promise<readonly LogPublisherProgress[]> => {
  const address = parseKafkaAddress(busUrl)
  return Promise.all(
    topics.map(async (service) => {
      const publisher = logPublisherName(address, service)
      const [checkpoint, leader] = await Promise.all([
        loadCheckpoint(control, publisher),
        currentLeader(control, publisher, logPublisherLeaseMs),
      ])
      return { service, position: checkpoint?.position, leader }
    }),
  )
}

const inspectTimeoutMs = 10_000
/** ConfigResourceTypes.TOPIC, which ES modules cannot import from kafkajs. */
const topicResource = 2

export type TopicReport = {
  readonly topic: string
  readonly partitions: number
  /** The replicas of the partition that has the fewest. */
  readonly replicas: number
  readonly retentionMs: number
  readonly cleanupPolicy: string
}

export type KafkaReport = {
  readonly brokers: number
  /** The values in BUS_URL. */
  readonly configured: { readonly partitions: number; readonly replication: number; readonly retentionHours: number }
  /** The existing topics. */
  readonly topics: readonly TopicReport[]
  readonly missing: readonly string[]
}

/** Describes the cluster and the portal's topics. Rejects on a timeout. */
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

  const inspect = async (): Promise<KafkaReport> => {
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
    return await withTimeout(inspect(), inspectTimeoutMs, 'the response of Kafka')
  } finally {
    void admin.disconnect().catch(() => undefined)
  }
}
