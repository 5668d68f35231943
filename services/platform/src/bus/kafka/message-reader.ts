import { type Cluster, type KafkaMessage, PartitionAssigners } from 'kafkajs'
import type { Logger } from 'pino'
import { z } from 'zod'
import { withTimeout } from '../../async/timeout.ts'
import type { KafkaAddress } from './address.ts'
import { createKafkaClient } from './client.ts'

const timeoutMs = 10_000
/** Kafka answers with the whole batch that the message is in, also where that is larger. */
const wantedBytes = 1

/** Reads single messages, by their offsets, without being a member of a group. */
export type MessageReader = {
  /** Undefined where Kafka has no message at that offset. Rejects when there is no answer in time. */
  read(topic: string, partition: number, offset: bigint): Promise<KafkaMessage | undefined>
  close(): Promise<void>
}

const responseSchema = z.object({
  responses: z.array(
    z.object({
      partitions: z.array(
        z.object({
          messages: z.array(
            z.custom<KafkaMessage>((message) => z.object({ offset: z.string() }).safeParse(message).success),
          ),
        }),
      ),
    }),
  ),
})

/** kafkajs gives its cluster to the assigners of a consumer, and to nothing else. */
const clusterOf = (address: KafkaAddress, logger: Logger): Cluster => {
  let found: Cluster | undefined
  createKafkaClient(address, logger).consumer({
    groupId: `${address.prefix}reader`,
    partitionAssigners: [
      (config) => {
        found = config.cluster
        return PartitionAssigners.roundRobin(config)
      },
    ],
    retry: { retries: 3 },
  })
  if (found === undefined) throw new Error('kafkajs did not ask for an assigner')
  return found
}

const isOutOfRange = (error: unknown): boolean =>
  error instanceof Error && 'type' in error && error.type === 'OFFSET_OUT_OF_RANGE'

const fetchOne = async (cluster: Cluster, topic: string, partition: number, offset: bigint) => {
  await cluster.addTargetTopic(topic)
  const [nodeId] = Object.keys(cluster.findLeaderForPartitions(topic, [partition]))
  if (nodeId === undefined) throw new Error(`Kafka has no leader of ${topic}-${partition}`)
  const broker = await cluster.findBroker({ nodeId })
  try {
    const partitions = [{ partition, fetchOffset: `${offset}`, maxBytes: wantedBytes }]
    const answer: unknown = await broker.fetch({ maxWaitTime: 0, minBytes: 0, topics: [{ topic, partitions }] })
    const messages = responseSchema
      .parse(answer)
      .responses.flatMap(({ partitions: of }) => of)
      .flatMap((of) => of.messages)
    return messages.find((message) => message.offset === `${offset}`)
  } catch (error) {
    if (isOutOfRange(error)) return undefined
    throw error
  }
}

export const openMessageReader = (address: KafkaAddress, logger: Logger): MessageReader => {
  let connection: Promise<Cluster> | undefined
  let isClosed = false

  const connect = async (): Promise<Cluster> => {
    const cluster = clusterOf(address, logger)
    await cluster.connect()
    return cluster
  }
  const disconnect = async () => {
    const cluster = await connection?.catch(() => undefined)
    connection = undefined
    // It is thrown away, whatever state it is in.
    await cluster?.disconnect().catch(() => undefined)
  }

  return {
    async read(topic, partition, offset) {
      if (isClosed) throw new Error('The connection to Kafka is closed')
      connection ??= connect()
      const mine = connection
      try {
        const work = mine.then((cluster) => fetchOne(cluster, topic, partition, offset))
        return await withTimeout(work, timeoutMs, `reading ${topic}-${partition}`)
      } catch (error) {
        if (connection === mine) void disconnect()
        throw error
      }
    },
    async close() {
      isClosed = true
      await disconnect()
    },
  }
}
