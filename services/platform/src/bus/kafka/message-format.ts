import { type Envelope, envelopeSchema } from '@portal/contracts/shared/event-envelope'
import type { KafkaMessage } from 'kafkajs'
import { z } from 'zod'
import type { Position } from '../../event-store/port.ts'
import { eventPositionOf } from '../relay.ts'
import type { KafkaAddress } from './address.ts'
import type { Checkpoint } from './producer/checkpoint.ts'
import { destinationOf, type Ends, type Layout, partitionKey, type TopicPartition } from './topics.ts'

/** The header of the last message of a request in each partition, if that message is also the last of its event there. */
export const publisherHeader = 'feed'

/**
 * A header of each message: identifies one fill of Kafka by the log publisher. If a topic was deleted and created again under an
 * open connection and has outgrown the consumer's offset, only this header shows it.
 */
export const fillHeader = 'fill'

type MessageHeaders = Record<string, string>

export type OutgoingRecord = TopicPartition & {
  readonly key: string
  readonly value: string
  /** Whether it is the last message of its event in this partition. */
  readonly endsEvent: boolean
}

/** Returns the function that converts the messages of complete events, in order. */
export const recordsOf = (address: KafkaAddress, layout: Layout) => {
  const destination = destinationOf(address, layout)
  return (envelopes: readonly Envelope[]): readonly OutgoingRecord[] => {
    const followed = new Set<string>()
    const lastFirst = envelopes.toReversed().map((envelope) => {
      const to = destination(envelope)
      const eventInPartition = `${partitionKey(to.topic, to.partition)}@${eventPositionOf(envelope.position)}`
      const endsEvent = !followed.has(eventInPartition)
      followed.add(eventInPartition)
      return { ...to, key: envelope.key, value: JSON.stringify(envelope), endsEvent }
    })
    return lastFirst.toReversed()
  }
}

/** Throws if the message is not an envelope. Only log publishers write to topics, but messages are still validated. */
export const parseEnvelope = (busPartition: string, message: KafkaMessage): Envelope => {
  try {
    return envelopeSchema.parse(JSON.parse(message.value?.toString() ?? ''))
  } catch (error) {
    throw new Error(`The message at offset ${message.offset} of ${busPartition} is not an envelope`, { cause: error })
  }
}

const headerSchema = z.object({
  feed: z.string(),
  position: z.string().min(1),
  eventId: z.string().optional(),
  /** By topic: the offset after the last message of each partition that the log publisher uses. */
  ends: z.record(z.string(), z.array(z.string().regex(/^\d+$/).transform(BigInt))),
})

/** Names the log publisher, and its checkpoint before it published the request with this header. */
type PublisherHeader = { readonly publisher: string; readonly checkpoint: Checkpoint }

/** The value of the publisher header. `topics` are those that the log publisher writes to. */
const formatPublisherHeader = (
  publisher: string,
  { position, eventId, ends, layout }: Checkpoint,
  topics: Iterable<string>,
): string => {
  const endsOf = (topic: string) =>
    Array.from(
      { length: layout.get(topic) ?? 0 },
      (_, partition) => `${ends.get(partitionKey(topic, partition)) ?? 0n}`,
    )
  return JSON.stringify({
    feed: publisher,
    position,
    ...(eventId !== undefined && { eventId }),
    ends: Object.fromEntries([...topics].map((topic) => [topic, endsOf(topic)])),
  })
}

const lastOfEachPartition = (records: readonly OutgoingRecord[]): ReadonlySet<OutgoingRecord> =>
  new Set(new Map(records.map((record) => [record.partition, record])).values())

/**
 * The messages of one request, which follows the checkpoint. The last one of each partition gets the publisher header if it ends its
 * event.
 */
export const requestOf = (publisher: string, checkpoint: Checkpoint, records: readonly OutgoingRecord[]) => {
  const byTopic = Map.groupBy(records, ({ topic }) => topic)
  const headers: MessageHeaders = checkpoint.fill === undefined ? {} : { [fillHeader]: checkpoint.fill }
  const lastHeaders = { ...headers, [publisherHeader]: formatPublisherHeader(publisher, checkpoint, byTopic.keys()) }
  return [...byTopic].map(([topic, ofTopic]) => {
    const last = lastOfEachPartition(ofTopic)
    return {
      topic,
      messages: ofTopic.map((record) => {
        const { partition, key, value, endsEvent } = record
        return { partition, key, value, headers: endsEvent && last.has(record) ? lastHeaders : headers }
      }),
    }
  })
}

const headerText = (message: KafkaMessage | undefined, name: string): string | undefined => {
  const value = message?.headers?.[name]
  return (Array.isArray(value) ? value[0] : value)?.toString()
}

/** Undefined for a message without the header. */
export const fillOf = (message: KafkaMessage): string | undefined => headerText(message, fillHeader)

/** Undefined for a message without the header. */
export const parsePublisherHeader = (message: KafkaMessage | undefined): PublisherHeader | undefined => {
  const text = headerText(message, publisherHeader)
  if (text === undefined) return undefined
  const { feed: publisher, position, eventId, ends } = headerSchema.parse(JSON.parse(text))
  const topics = Object.entries(ends)
  const allEnds: Ends = new Map(
    topics.flatMap(([topic, topicEnds]) =>
      topicEnds.map((end, partition) => [partitionKey(topic, partition), end] as const),
    ),
  )
  return {
    publisher,
    checkpoint: {
      // Log publishers take it from the store.
      position: position as Position | 'start',
      ...(eventId !== undefined && { eventId }),
      ends: allEnds,
      layout: new Map(topics.map(([topic, topicEnds]) => [topic, topicEnds.length])),
    },
  }
}
