import { topics } from '@portal/contracts/shared/event-envelope'
import type { Admin } from 'kafkajs'
import type { Logger } from 'pino'
import type { KafkaAddress } from './address.ts'

/** An event may have 1 MiB of JSON, and a batch for one partition is counted as one message. */
const largestBatchBytes = 4 * 1024 * 1024

export const topicName = ({ prefix }: KafkaAddress, topic: string): string => prefix + topic
export const topicNames = (address: KafkaAddress): readonly string[] => topics.map((topic) => topicName(address, topic))

const configOf = ({ retentionHours, replication }: KafkaAddress) => [
  { name: 'cleanup.policy', value: 'delete' },
  { name: 'retention.ms', value: String(retentionHours * 3_600_000) },
  // What is acknowledged survives the loss of a broker, where there are enough of them.
  { name: 'min.insync.replicas', value: String(replication >= 3 ? 2 : 1) },
  { name: 'max.message.bytes', value: String(largestBatchBytes) },
]

/** Creates the topics that are missing, and says how many partitions each has. */
export const createTopics = async (
  admin: Admin,
  address: KafkaAddress,
  logger: Logger,
): Promise<ReadonlyMap<string, number>> => {
  const known = new Set(await admin.listTopics())
  const missing = topicNames(address).filter((topic) => !known.has(topic))
  if (missing.length > 0) {
    const { partitions: numPartitions, replication: replicationFactor } = address
    const configEntries = configOf(address)
    // Resolves, too, when another process was quicker.
    await admin.createTopics({
      topics: missing.map((topic) => ({ topic, numPartitions, replicationFactor, configEntries })),
    })
  }
  const metadata = await admin.fetchTopicMetadata({ topics: [...topicNames(address)] })
  const counts = new Map(metadata.topics.map(({ name, partitions }) => [name, partitions.length]))
  for (const topic of topicNames(address)) {
    const count = counts.get(topic) ?? 0
    if (count === 0) throw new Error(`Kafka does not have the topic ${topic}, nor let it be created`)
    if (count < address.partitions) {
      logger.warn(
        { topic, partitions: count, asked: address.partitions },
        'A topic has fewer partitions than asked for',
      )
    }
  }
  return counts
}
