import type { Logger } from 'pino'
import { withTimeout } from '../async/timeout.ts'
import { parseKafkaAddress } from '../bus/kafka/address.ts'
import { createKafkaClient } from '../bus/kafka/client.ts'
import { topicNames } from '../bus/kafka/topics.ts'

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
  readonly asked: { readonly partitions: number; readonly replication: number; readonly retentionHours: number }
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
      asked: { partitions, replication, retentionHours },
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
