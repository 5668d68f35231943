import type { Envelope, Topic } from '@portal/contracts/shared/event-envelope'
import type { Checkpoint, Position, RecordedEvent } from '../event-store/port.ts'
import { categoryOf } from '../event-store/stream-name.ts'
import type { OutgoingMessage, Publisher } from './publisher.ts'
import { unreadableEvent } from './unreadable-event.ts'

const maxMessagesPerEvent = 100

/** The position on the bus of an event's message. */
export const messagePosition = (position: Position, index = 0): string =>
  `${position}:${String(index).padStart(2, '0')}`

/** The position of a message's event. */
export const eventPositionOf = (position: string): string => position.split(':', 1)[0] ?? position

/** The event of a message, from the message's position and id. Undefined if no relay made the id. */
export const messageCheckpoint = (position: string, messageId: string): Checkpoint | undefined => {
  const eventId = /^(.+):\d+$/.exec(messageId)?.[1]
  // `messagePosition` starts with a position of the log.
  return eventId === undefined ? undefined : { position: eventPositionOf(position) as Position, eventId }
}

/** The id of a message's event. */
export const eventIdOf = (messageId: string): string => {
  const colon = messageId.lastIndexOf(':')
  return colon < 0 ? messageId : messageId.slice(0, colon)
}

const envelopeOf = (recorded: RecordedEvent, message: OutgoingMessage, index: number): Envelope => ({
  id: `${recorded.id}:${index}`,
  topic: message.topic,
  key: message.key,
  position: messagePosition(recorded.position, index),
  type: message.type,
  at: recorded.at,
  ...(recorded.metadata.occurredAt !== undefined && { occurredAt: recorded.metadata.occurredAt }),
  ...(recorded.metadata.correlationId !== undefined && { correlationId: recorded.metadata.correlationId }),
  ...(recorded.metadata.actorId !== undefined && { actorId: recorded.metadata.actorId }),
  ...(recorded.metadata.apiKeyId !== undefined && { apiKeyId: recorded.metadata.apiKeyId }),
  ...(recorded.metadata.traceparent !== undefined && { traceparent: recorded.metadata.traceparent }),
  data: message.data,
})

export type Relay = {
  readonly categories: readonly string[]
  /**
   * Deterministic: always returns the same envelopes, ids and positions. Returns none, without reading the event, if its category
   * publishes to none of `topics`. Throws an UnreadableEventError if the publishers cannot read the event.
   */
  translate(recorded: RecordedEvent, topics?: readonly Topic[]): readonly Envelope[]
}

const publishAll = (publishers: readonly Publisher[], recorded: RecordedEvent): readonly OutgoingMessage[] => {
  try {
    return publishers.flatMap((publisher) => publisher.publish(recorded))
  } catch (error) {
    throw unreadableEvent(recorded, error)
  }
}

/** Throws if a topic has no publisher. A reader of the log would otherwise miss its messages, without any error. */
export const requirePublishers = (
  publishers: readonly Publisher[],
  { reader, topics }: { readonly reader: string; readonly topics: readonly Topic[] },
): void => {
  const missing = topics.filter((topic) => !publishers.some((publisher) => publisher.topics.includes(topic)))
  if (missing.length > 0)
    throw new Error(`${reader} would miss messages in the log: this process has no publisher of ${missing.join(', ')}`)
}

/** Translates recorded events with the services' publishers. There is no other way from the log to the bus. */
export const createRelay = (publishers: readonly Publisher[]): Relay => {
  const byCategory = Map.groupBy(publishers, (publisher) => publisher.category)

  return {
    categories: [...byCategory.keys()],
    translate(recorded, wanted) {
      const own = byCategory.get(categoryOf(recorded.stream)) ?? []
      const isWanted = wanted === undefined || own.some(({ topics }) => topics.some((topic) => wanted.includes(topic)))
      const messages = isWanted ? publishAll(own, recorded) : []
      if (messages.length > maxMessagesPerEvent) {
        throw new Error(
          `Event ${recorded.id} (${recorded.type}) became ${messages.length} messages; the limit is ${maxMessagesPerEvent}`,
        )
      }
      return messages.map((message, index) => envelopeOf(recorded, message, index))
    },
  }
}
