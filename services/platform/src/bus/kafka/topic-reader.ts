import type { Envelope } from '@portal/contracts/shared/event-envelope'
import type { Cluster, KafkaMessage } from 'kafkajs'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { KafkaAddress } from './address.ts'
import type { KafkaAdmin } from './admin.ts'
import { createKafkaClient, lazyConnection } from './client.ts'
import { type Bounds, type ConsumerPosition, positionAfter } from './cursor.ts'
import { clusterOf } from './kafkajs-workarounds.ts'
import { fillOf, parseEnvelope, parsePublisherHeader } from './message-format.ts'

const readTimeoutMs = 10_000
/** Kafka returns the complete batch of the message, even if it is larger. */
const maxBytes = 1

/** Reads single messages by offset, without joining a consumer group. */
type MessageReader = {
  /** Undefined if Kafka has no message at that offset. Rejects if Kafka does not answer in time. */
  read(topic: string, partition: number, offset: bigint): Promise<KafkaMessage | undefined>
  close(): Promise<void>
}

const fetchResponseSchema = z.object({
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

const isOutOfRange = (error: unknown): boolean =>
  error instanceof Error && 'type' in error && error.type === 'OFFSET_OUT_OF_RANGE'

const fetchMessage = async (cluster: Cluster, topic: string, partition: number, offset: bigint) => {
  await cluster.addTargetTopic(topic)
  const [nodeId] = Object.keys(cluster.findLeaderForPartitions(topic, [partition]))
  if (nodeId === undefined) throw new Error(`Kafka has no leader of ${topic}-${partition}`)
  const broker = await cluster.findBroker({ nodeId })
  try {
    const partitions = [{ partition, fetchOffset: `${offset}`, maxBytes }]
    const response: unknown = await broker.fetch({ maxWaitTime: 0, minBytes: 0, topics: [{ topic, partitions }] })
    const messages = fetchResponseSchema
      .parse(response)
      .responses.flatMap((fetched) => fetched.partitions)
      .flatMap((fetched) => fetched.messages)
    return messages.find((message) => message.offset === `${offset}`)
  } catch (error) {
    if (isOutOfRange(error)) return undefined
    throw error
  }
}

export const openMessageReader = (address: KafkaAddress, logger: Logger): MessageReader => {
  const connection = lazyConnection(() => clusterOf(createKafkaClient(address, logger), `${address.prefix}reader`))
  return {
    read: (topic, partition, offset) =>
      connection.request(
        (cluster) => fetchMessage(cluster, topic, partition, offset),
        readTimeoutMs,
        `reading ${topic}-${partition}`,
      ),
    close: connection.close,
  }
}

/** `fill` as in the header of the message. */
type FoundMessage = { readonly envelope: Envelope; readonly fill: string | undefined }

/** Reads what a topic holds, and how its keys are spread over partitions. */
export type TopicReader = {
  bounds(topic: string): Promise<ReadonlyMap<number, Bounds>>
  /** The message at an offset. Undefined if there is none, or it is not an envelope. */
  messageAt(topic: string, partition: number, offset: bigint): Promise<FoundMessage | undefined>
  /** The end of each partition. Without a position if the partition is empty or its last message is not an envelope. */
  ends(topic: string): Promise<ReadonlyMap<number, ConsumerPosition>>
  /**
   * The number of partitions that keys are spread over, read from the headers of the last messages. The topic may have more: a log
   * publisher keeps using those it started with.
   */
  layout(topic: string): Promise<number>
}

type Ports = { readonly admin: Pick<KafkaAdmin, 'bounds'>; readonly reader: Pick<MessageReader, 'read'> }

export const createTopicReader = ({ admin, reader }: Ports): TopicReader => {
  const messageAt: TopicReader['messageAt'] = async (topic, partition, offset) => {
    const message = await reader.read(topic, partition, offset)
    if (message === undefined) return undefined
    try {
      return { envelope: parseEnvelope(`${topic}-${partition}`, message), fill: fillOf(message) }
    } catch {
      return undefined
    }
  }

  const endOf = async (topic: string, partition: number, { low, high }: Bounds): Promise<ConsumerPosition> => {
    const offset = high - 1n
    const found = low < high ? await messageAt(topic, partition, offset) : undefined
    return found === undefined ? { offset } : positionAfter(found.envelope, offset)
  }

  return {
    bounds: admin.bounds,
    messageAt,
    async ends(topic) {
      const found = [...(await admin.bounds(topic))]
      return new Map(
        await Promise.all(
          found.map(async ([partition, bounds]) => [partition, await endOf(topic, partition, bounds)] as const),
        ),
      )
    },
    async layout(topic) {
      const found = [...(await admin.bounds(topic))]
      const headers = await Promise.all(
        found.map(async ([partition, { low, high }]) =>
          low < high ? parsePublisherHeader(await reader.read(topic, partition, high - 1n)) : undefined,
        ),
      )
      const newestFirst = headers.toSorted((a, b) =>
        (a?.checkpoint.position ?? '') < (b?.checkpoint.position ?? '') ? 1 : -1,
      )
      return newestFirst[0]?.checkpoint.layout.get(topic) ?? found.length
    },
  }
}
