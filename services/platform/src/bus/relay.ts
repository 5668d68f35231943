import type { Envelope } from '@portal/contracts/shared/event-envelope'
import type { Position, Recorded } from '../event-store/port.ts'
import { categoryOf } from '../event-store/stream-name.ts'
import type { OutgoingMessage, Publisher } from './publisher.ts'

const mostMessagesPerEvent = 100

/** The `position` of an event's message on the bus. */
export const messagePosition = (position: Position, index = 0): string =>
  `${position}:${String(index).padStart(2, '0')}`

const envelopeOf = (recorded: Recorded, message: OutgoingMessage, index: number): Envelope => ({
  id: `${recorded.id}:${index}`,
  topic: message.topic,
  key: message.key,
  position: messagePosition(recorded.position, index),
  type: message.type,
  at: recorded.at,
  ...(recorded.metadata.occurredAt !== undefined && { occurredAt: recorded.metadata.occurredAt }),
  ...(recorded.metadata.correlationId !== undefined && { correlationId: recorded.metadata.correlationId }),
  ...(recorded.metadata.traceparent !== undefined && { traceparent: recorded.metadata.traceparent }),
  data: message.data,
})

export type Relay = {
  readonly categories: readonly string[]
  /** The same envelopes, with the same ids and positions, however often and wherever it is asked. Throws as publishers do. */
  translate(recorded: Recorded): readonly Envelope[]
}

/** Applies the services' publishers to recorded events: the one way from the log to the bus. */
export const createRelay = (publishers: readonly Publisher[]): Relay => {
  const byCategory = Map.groupBy(publishers, (publisher) => publisher.category)

  return {
    categories: [...byCategory.keys()],
    translate(recorded) {
      const messages = (byCategory.get(categoryOf(recorded.stream)) ?? []).flatMap((p) => p.publish(recorded))
      if (messages.length > mostMessagesPerEvent) {
        throw new Error(`Event ${recorded.id} (${recorded.type}) became ${messages.length} messages, more than fit`)
      }
      return messages.map((message, index) => envelopeOf(recorded, message, index))
    },
  }
}
