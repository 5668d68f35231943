import type { KafkaMessage } from 'kafkajs'
import { z } from 'zod'
import type { Position } from '../../event-store/port.ts'
import type { Checkpoint } from './checkpoint.ts'
import { endName, type Ends } from './layout.ts'

/** On the last message of an event in a partition, where that is also the last of what was written at once. */
export const feedHeader = 'feed'

/**
 * Beside it: names one fill of Kafka by the feed. A topic that was deleted and made again under an open connection shows by nothing
 * else, when it already has more messages than the consumer has read.
 */
export const fillHeader = 'fill'

const headerSchema = z.object({
  feed: z.string(),
  position: z.string().min(1),
  eventId: z.string().optional(),
  /** By topic: the offset behind the last message of each partition, as many as the feed uses. */
  ends: z.record(z.string(), z.array(z.string().regex(/^\d+$/).transform(BigInt))),
})

/** What a feed had published, all of it, before it wrote the message that has this header. */
export type FeedMark = { readonly feed: string; readonly checkpoint: Checkpoint }

/** The topics are those that the feed writes to. */
export const feedHeaderOf = (
  feed: string,
  { position, eventId, ends, layout }: Checkpoint,
  topics: Iterable<string>,
) => {
  const ofTopic = (topic: string) =>
    Array.from({ length: layout.get(topic) ?? 0 }, (_, partition) => `${ends.get(endName(topic, partition)) ?? 0n}`)
  return JSON.stringify({
    feed,
    position,
    ...(eventId !== undefined && { eventId }),
    ends: Object.fromEntries([...topics].map((topic) => [topic, ofTopic(topic)])),
  })
}

const headerText = (message: KafkaMessage | undefined, name: string): string | undefined => {
  const value = message?.headers?.[name]
  return (Array.isArray(value) ? value[0] : value)?.toString()
}

/** Undefined of a message that does not say so. */
export const fillOf = (message: KafkaMessage): string | undefined => headerText(message, fillHeader)

/** Undefined of a message that no feed has marked so. */
export const feedMarkOf = (message: KafkaMessage | undefined): FeedMark | undefined => {
  const text = headerText(message, feedHeader)
  if (text === undefined) return undefined
  const { feed, position, eventId, ends } = headerSchema.parse(JSON.parse(text))
  const topics = Object.entries(ends)
  const allEnds: Ends = new Map(
    topics.flatMap(([topic, of]) => of.map((end, partition) => [endName(topic, partition), end] as const)),
  )
  return {
    feed,
    checkpoint: {
      // A feed has it from the store.
      position: position as Position | 'start',
      ...(eventId !== undefined && { eventId }),
      ends: allEnds,
      layout: new Map(topics.map(([topic, of]) => [topic, of.length])),
    },
  }
}
