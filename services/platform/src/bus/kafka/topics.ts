import { allBucketKeys, bucketOf } from '@portal/contracts/shared/buckets'
import { type Envelope, topics } from '@portal/contracts/shared/event-envelope'
import type { Admin } from 'kafkajs'
import type { Logger } from 'pino'
import type { KafkaAddress } from './address.ts'

/** One event has up to 1 MiB of JSON, and Kafka applies the limit to the whole batch of a partition. */
const maxBatchBytes = 4 * 1024 * 1024

export type TopicPartition = { readonly topic: string; readonly partition: number }

/** By topic, the number of partitions that keys are spread over. */
export type Layout = ReadonlyMap<string, number>

/** By `partitionKey`, the offset after the last message. */
export type Ends = ReadonlyMap<string, bigint>

export const partitionKey = (topic: string, partition: number): string => `${topic}/${partition}`
/** The parts of a bus partition's name, `topic-partition`. */
export const parseBusPartition = (name: string): TopicPartition => {
  const dash = name.lastIndexOf('-')
  return { topic: name.slice(0, dash), partition: Number(name.slice(dash + 1)) }
}
export const topicName = ({ prefix }: KafkaAddress, topic: string): string => prefix + topic
export const topicNames = (address: KafkaAddress): readonly string[] => topics.map((topic) => topicName(address, topic))

const bucketNumbers = new Map(allBucketKeys.map((key, number) => [key, number]))

/**
 * The partition of a key among `count`. Bucket keys are distributed in turn, because hashing only 64 keys would give some partitions
 * three times as many as others.
 */
export const partitionOf = (key: string, count: number): number => (bucketNumbers.get(key) ?? bucketOf(key)) % count

/** Returns the function that routes an envelope to its topic and partition. */
export const destinationOf =
  (address: KafkaAddress, layout: Layout) =>
  (envelope: Pick<Envelope, 'topic' | 'key'>): TopicPartition => {
    const topic = topicName(address, envelope.topic)
    return { topic, partition: partitionOf(envelope.key, layout.get(topic) ?? 1) }
  }

const configOf = ({ retentionHours, replication }: KafkaAddress) => [
  { name: 'cleanup.policy', value: 'delete' },
  { name: 'retention.ms', value: String(retentionHours * 3_600_000) },
  // With three replicas, an acknowledged message survives the loss of a broker.
  { name: 'min.insync.replicas', value: String(replication >= 3 ? 2 : 1) },
  { name: 'max.message.bytes', value: String(maxBatchBytes) },
]

/** Creates the missing topics. Returns the number of partitions of each topic. */
export const createTopics = async (admin: Admin, address: KafkaAddress): Promise<Layout> => {
  const existing = new Set(await admin.listTopics())
  const missing = topicNames(address).filter((topic) => !existing.has(topic))
  if (missing.length > 0) {
    const { partitions: numPartitions, replication: replicationFactor } = address
    const configEntries = configOf(address)
    // Also resolves when another process has just created them.
    await admin.createTopics({
      topics: missing.map((topic) => ({ topic, numPartitions, replicationFactor, configEntries })),
    })
  }
  const metadata = await admin.fetchTopicMetadata({ topics: [...topicNames(address)] })
  const layout = new Map(metadata.topics.map(({ name, partitions }) => [name, partitions.length]))
  for (const topic of topicNames(address)) {
    if (!layout.get(topic)) throw new Error(`Kafka has no topic ${topic} and did not allow creating it`)
  }
  return layout
}

/** The portal never adds partitions to a topic, because that would move keys to other partitions. */
export const warnIfFewer = (layout: Layout, requested: number, logger: Logger): void => {
  const fewer = Object.fromEntries([...layout].filter(([, count]) => count < requested))
  if (Object.keys(fewer).length === 0) return
  logger.warn({ partitions: fewer, asked: requested }, 'topics have fewer partitions than BUS_URL requests')
}
