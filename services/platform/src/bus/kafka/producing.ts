import { allBucketKeys, bucketOf } from '@portal/contracts/shared/buckets'
import type { Envelope } from '@portal/contracts/shared/event-envelope'
import { Partitioners, type Producer, type RecordMetadata } from 'kafkajs'
import type { Logger } from 'pino'
import type { KafkaAddress } from './address.ts'
import { createKafkaClient } from './client.ts'
import { topicName } from './topics.ts'

const mostMessages = 500
const mostBytes = 1024 * 1024

/** A message as Kafka gets it. */
export type Outgoing = {
  readonly topic: string
  readonly partition: number
  readonly key: string
  readonly value: string
}

/** Where the keys of a topic go. */
export type Layout = ReadonlyMap<string, number>

const bucketNumbers = new Map(allBucketKeys.map((key, number) => [key, number]))

/**
 * By the key alone, as long as the number of partitions stays. Buckets in turn: a hash of 64 keys would give some partitions
 * three times what it gives others.
 */
export const partitionOf = (key: string, count: number): number => (bucketNumbers.get(key) ?? bucketOf(key)) % count

export const outgoingOf = (address: KafkaAddress, layout: Layout): ((envelope: Envelope) => Outgoing) => {
  return (envelope) => {
    const topic = topicName(address, envelope.topic)
    const partition = partitionOf(envelope.key, layout.get(topic) ?? 1)
    return { topic, partition, key: envelope.key, value: JSON.stringify(envelope) }
  }
}

/** Parts that are small enough to be sent at once; a message that is larger than that alone. */
export function* parts(messages: readonly Outgoing[]): Generator<readonly Outgoing[]> {
  let part: Outgoing[] = []
  let bytes = 0
  for (const message of messages) {
    const size = Buffer.byteLength(message.value)
    if (part.length > 0 && (part.length >= mostMessages || bytes + size > mostBytes)) {
      yield part
      part = []
      bytes = 0
    }
    part.push(message)
    bytes += size
  }
  if (part.length > 0) yield part
}

/** By topic and partition (`topic/3`), the offset behind the last message. */
export type Ends = ReadonlyMap<string, bigint>
export const endName = (topic: string, partition: number): string => `${topic}/${partition}`

/** Where each partition's messages were put: the offset of the first of them. */
type Placed = ReadonlyMap<string, bigint>

const placesOf = (records: readonly RecordMetadata[]): Placed =>
  new Map(
    records.flatMap(({ topicName: topic, partition, baseOffset }) =>
      baseOffset === undefined || baseOffset.startsWith('-') ? [] : [[endName(topic, partition), BigInt(baseOffset)]],
    ),
  )

/**
 * An idempotent producer. Only one call at a time. After a rejection the outcome is unknown: the same messages again, from this
 * producer, are recognised by the broker as the same; other messages need another producer.
 */
export type Producing = {
  send(messages: readonly Outgoing[]): Promise<Placed>
  close(): Promise<void>
}

export const openProducing = async (address: KafkaAddress, logger: Logger): Promise<Producing> => {
  const producer: Producer = createKafkaClient(address, logger).producer({
    idempotent: true,
    maxInFlightRequests: 1,
    allowAutoTopicCreation: false,
    createPartitioner: Partitioners.DefaultPartitioner,
    metadataMaxAge: 30_000,
    // Once, for a leader that has moved. Whoever tries for longer has to look first whether Kafka still holds the rest.
    retry: { retries: 1 },
  })
  await producer.connect()
  return {
    async send(messages) {
      const byTopic = Map.groupBy(messages, ({ topic }) => topic)
      const topicMessages = [...byTopic].map(([topic, ofTopic]) => ({
        topic,
        messages: ofTopic.map(({ partition, key, value }) => ({ partition, key, value })),
      }))
      return placesOf(await producer.sendBatch({ acks: -1, topicMessages }))
    },
    close: () => producer.disconnect(),
  }
}
