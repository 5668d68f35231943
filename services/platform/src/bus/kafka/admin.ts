import type { Admin } from 'kafkajs'
import type { Logger } from 'pino'
import { withTimeout } from '../../async/timeout.ts'
import type { KafkaAddress } from './address.ts'
import { createKafkaClient } from './client.ts'
import type { Bounds } from './cursor.ts'
import { createTopics, sayIfFewer } from './topics.ts'

const callTimeoutMs = 10_000
const checkTimeoutMs = 3_000
/** A check that was answered within that time holds for the next, too. */
const checkedForMs = 1_000

/** What is asked of Kafka besides messages. Rejects when there is no answer in time. */
export type KafkaAdmin = {
  /** Creates the topics that are missing; how many partitions each has. */
  prepare(): Promise<ReadonlyMap<string, number>>
  /** What each partition of a topic holds, by the partition's number. */
  bounds(topic: string): Promise<ReadonlyMap<number, Bounds>>
  check(): Promise<void>
  close(): Promise<void>
}

export const openKafkaAdmin = (address: KafkaAddress, logger: Logger): KafkaAdmin => {
  let connection: Promise<Admin> | undefined
  let lastCheck: { readonly atMs: number; readonly outcome: Promise<void> } | undefined
  let isPrepared = false
  let isClosed = false

  const connect = async (): Promise<Admin> => {
    const admin = createKafkaClient(address, logger).admin({ retry: { retries: 3 } })
    await admin.connect()
    return admin
  }

  const disconnect = async () => {
    const admin = await connection?.catch(() => undefined)
    connection = undefined
    // It is thrown away, whatever state it is in.
    await admin?.disconnect().catch(() => undefined)
  }

  const ask = async <T>(work: (admin: Admin) => Promise<T>, timeoutMs: number, what: string): Promise<T> => {
    if (isClosed) throw new Error('The connection to Kafka is closed')
    connection ??= connect()
    const mine = connection
    try {
      return await withTimeout(mine.then(work), timeoutMs, what)
    } catch (error) {
      if (connection === mine) void disconnect()
      throw error
    }
  }

  const look = async () => {
    await ask((admin) => admin.describeCluster(), checkTimeoutMs, 'asking Kafka')
  }

  return {
    async prepare() {
      const counts = await ask((admin) => createTopics(admin, address), callTimeoutMs, 'preparing the topics')
      if (!isPrepared) sayIfFewer(counts, address.partitions, logger)
      isPrepared = true
      return counts
    },
    async bounds(topic) {
      const offsets = await ask((admin) => admin.fetchTopicOffsets(topic), callTimeoutMs, 'asking for offsets')
      return new Map(offsets.map(({ partition, low, high }) => [partition, { low: BigInt(low), high: BigInt(high) }]))
    },
    async check() {
      const nowMs = performance.now()
      if (lastCheck === undefined || nowMs - lastCheck.atMs > checkedForMs) lastCheck = { atMs: nowMs, outcome: look() }
      await lastCheck.outcome
    },
    async close() {
      isClosed = true
      await disconnect()
    },
  }
}
