import type { Logger } from 'pino'
import type { KafkaAddress } from './address.ts'
import { createKafkaClient, KafkaFailedError, lazyConnection, rootCauseOf } from './client.ts'
import type { Bounds } from './cursor.ts'
import { createTopics, type Layout, warnIfFewer } from './topics.ts'

const requestTimeoutMs = 10_000
const checkTimeoutMs = 3_000
/** Checks within this time share one request. */
const checkCacheMs = 1_000

/** Rejects when Kafka does not answer in time. */
export type KafkaAdmin = {
  /** Creates the missing topics. Returns the number of partitions of each topic. */
  prepare(): Promise<Layout>
  /** The offsets that each partition of a topic holds, by partition number. */
  bounds(topic: string): Promise<ReadonlyMap<number, Bounds>>
  check(): Promise<void>
  close(): Promise<void>
}

export const openKafkaAdmin = (address: KafkaAddress, logger: Logger): KafkaAdmin => {
  const connection = lazyConnection(() => createKafkaClient(address, logger).admin({ retry: { retries: 3 } }))
  let lastCheck: { readonly atMs: number; readonly outcome: Promise<void> } | undefined
  let isPrepared = false

  const describeCluster = async () => {
    try {
      await connection.request((admin) => admin.describeCluster(), checkTimeoutMs, 'describing the Kafka cluster')
    } catch (error) {
      const cause = rootCauseOf(error)
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw new KafkaFailedError(`Kafka at ${address.brokers.join(', ')} does not answer: ${reason}`)
    }
  }

  return {
    async prepare() {
      const layout = await connection.request(
        (admin) => createTopics(admin, address),
        requestTimeoutMs,
        'preparing the topics',
      )
      if (!isPrepared) warnIfFewer(layout, address.partitions, logger)
      isPrepared = true
      return layout
    },
    async bounds(topic) {
      const offsets = await connection.request(
        (admin) => admin.fetchTopicOffsets(topic),
        requestTimeoutMs,
        'fetching offsets',
      )
      return new Map(offsets.map(({ partition, low, high }) => [partition, { low: BigInt(low), high: BigInt(high) }]))
    },
    async check() {
      const nowMs = performance.now()
      if (lastCheck === undefined || nowMs - lastCheck.atMs > checkCacheMs) {
        lastCheck = { atMs: nowMs, outcome: describeCluster() }
      }
      await lastCheck.outcome
    },
    close: connection.close,
  }
}
