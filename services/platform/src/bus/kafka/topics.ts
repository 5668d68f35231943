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
export const createTopics = async (admin: Admin, address: KafkaAddress): Promise<ReadonlyMap<string, number>> => {
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
    if (!counts.get(topic)) throw new Error(`Kafka does not have the topic ${topic}, nor let it be created`)
  }
  return counts
}

/** More partitions later would give keys another place, so they are not added, but the portal runs. */
export const sayIfFewer = (counts: ReadonlyMap<string, number>, asked: number, logger: Logger): void => {
  const fewer = Object.fromEntries([...counts].filter(([, count]) => count < asked))
  if (Object.keys(fewer).length === 0) return
  logger.warn({ partitions: fewer, asked }, 'Topics have fewer partitions than BUS_URL asks for; they stay as they are')
}
