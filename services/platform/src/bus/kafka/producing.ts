import type { Envelope } from '@portal/contracts/shared/event-envelope'
import { Partitioners, type Producer, type RecordMetadata } from 'kafkajs'
import type { Logger } from 'pino'
import { eventPositionOf } from '../relay.ts'
import type { KafkaAddress } from './address.ts'
import { createKafkaClient } from './client.ts'
import { watchConnections } from './connections.ts'
import { destinationOf, endName, type Layout } from './layout.ts'

const mostMessages = 500
const mostBytes = 1024 * 1024

/** A message as Kafka gets it. */
export type Outgoing = {
  readonly topic: string
  readonly partition: number
  readonly key: string
  readonly value: string
  /** No message of its event follows in the partition. */
  readonly endsEvent: boolean
}

/** The messages of whole events. */
export const outgoingOf = (address: KafkaAddress, layout: Layout) => {
  const destination = destinationOf(address, layout)
  return (envelopes: readonly Envelope[]): readonly Outgoing[] => {
    const followed = new Set<string>()
    const lastFirst = envelopes.toReversed().map((envelope) => {
      const to = destination(envelope)
      const place = `${endName(to.topic, to.partition)}@${eventPositionOf(envelope.position)}`
      const endsEvent = !followed.has(place)
      followed.add(place)
      return { ...to, key: envelope.key, value: JSON.stringify(envelope), endsEvent }
    })
    return lastFirst.toReversed()
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

export type Headers = Record<string, string>

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
  /** `headers` are those of each partition's last message, where that ends its event. */
  send(messages: readonly Outgoing[], headers: Headers): Promise<Placed>
  /** A connection was lost: it opens no other, because behind that may be a Kafka that has lost its data. */
  isCut(): boolean
  close(): Promise<void>
}

const lastOf = (messages: readonly Outgoing[]): ReadonlySet<Outgoing> =>
  new Set(new Map(messages.map((message) => [message.partition, message])).values())

const topicMessagesOf = (messages: readonly Outgoing[], headers: Headers) =>
  [...Map.groupBy(messages, ({ topic }) => topic)].map(([topic, ofTopic]) => {
    const last = lastOf(ofTopic)
    return {
      topic,
      messages: ofTopic.map((message) => {
        const { partition, key, value, endsEvent } = message
        return endsEvent && last.has(message) ? { partition, key, value, headers } : { partition, key, value }
      }),
    }
  })

export const openProducing = async (address: KafkaAddress, logger: Logger): Promise<Producing> => {
  const connections = watchConnections({ untilCut: true })
  const producer: Producer = createKafkaClient(address, logger, connections.socketFactory).producer({
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
    send: async (messages, headers) =>
      placesOf(await producer.sendBatch({ acks: -1, topicMessages: topicMessagesOf(messages, headers) })),
    isCut: () => connections.cuts() > 0,
    close: () => producer.disconnect().finally(connections.end),
  }
}
