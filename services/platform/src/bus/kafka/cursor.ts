import type { Envelope } from '@portal/contracts/shared/event-envelope'
import type { Checkpoint, Position } from '../../event-store/port.ts'
import { type LogPosition, logPosition } from '../log-cursor.ts'
import type { Cursor } from '../port.ts'
import { eventIdOf, eventPositionOf } from '../relay.ts'

/**
 * How far a consumer has read a bus partition. It has handled everything up to `position`, including all messages of that event
 * in the partition. Cursors of older releases have no `eventId` and may be between two messages of one event.
 */
export type ConsumerPosition = {
  /** The offset of the message in Kafka. Undefined for messages that were read from the log. */
  readonly offset?: bigint
  /** The position of the message, or of the event if `offset` is undefined. Shows whether Kafka still has this message. */
  readonly position?: string
  /** Shows whether the log still has this event. */
  readonly eventId?: string
}

const inTheLog = 'log'

export const cursorOf = ({ offset, position, eventId }: ConsumerPosition): Cursor =>
  // The only code that makes cursors of this adapter.
  `${offset ?? inTheLog}${position === undefined ? '' : `@${position}`}${eventId === undefined ? '' : `#${eventId}`}` as Cursor

/** Undefined for a cursor that this adapter did not make. */
export const parseCursor = (cursor: Cursor): ConsumerPosition | undefined => {
  const parts = /^(?<offset>log|-1|\d{1,19})(?:@(?<position>[^#]+)(?:#(?<eventId>.+))?)?$/.exec(cursor)?.groups
  if (parts?.offset === undefined) return undefined
  const { offset, position, eventId } = parts
  return {
    ...(offset !== inTheLog && { offset: BigInt(offset) }),
    ...(position !== undefined && { position }),
    ...(eventId !== undefined && { eventId }),
  }
}

/** The offsets that a partition holds: from `low`, inclusive, to `high`, exclusive. */
export type Bounds = { readonly low: bigint; readonly high: bigint }

/** The last event that the consumer has handled completely. */
export const logPositionOf = (at: ConsumerPosition | undefined): LogPosition => {
  if (at?.position === undefined) return 'start'
  if (at.offset !== undefined && at.eventId === undefined) return 'start'
  // Envelopes and cursors carry positions of the log.
  return logPosition(eventPositionOf(at.position) as Position, at.eventId)
}

export const fromLogPosition = (at: LogPosition): ConsumerPosition =>
  at === 'start' ? {} : typeof at === 'string' ? { position: at } : at

/** Undefined if the cursor does not name an event. */
export const checkpointOf = (at: ConsumerPosition): Checkpoint | undefined => {
  if (at.position === undefined || at.eventId === undefined) return undefined
  return { position: eventPositionOf(at.position) as Position, eventId: at.eventId }
}

/** The position after the last of an event's messages in the partition. */
export const positionAfter = (envelope: Envelope, offset: bigint | undefined): ConsumerPosition =>
  offset === undefined
    ? { position: eventPositionOf(envelope.position), eventId: eventIdOf(envelope.id) }
    : { offset, position: envelope.position, eventId: eventIdOf(envelope.id) }

/** Sorts as text after all messages of the event and before those of the next one. */
const afterAllMessages = ':~'

/** The consumer has handled all messages whose position, compared as text, is at or before this one. */
export const handledUpTo = (at: ConsumerPosition | undefined): string =>
  at?.position === undefined
    ? ''
    : at.offset !== undefined && at.eventId === undefined
      ? at.position
      : `${eventPositionOf(at.position)}${afterAllMessages}`

/** The later one by position, or by offset if one of them has no position. */
export const laterOf = (
  handled: ConsumerPosition | undefined,
  saved: ConsumerPosition | undefined,
): ConsumerPosition | undefined => {
  if (handled === undefined || saved === undefined) return handled ?? saved
  const [handledText, savedText] = [handledUpTo(handled), handledUpTo(saved)]
  if (handledText !== '' && savedText !== '') return savedText > handledText ? saved : handled
  return (saved.offset ?? -1n) > (handled.offset ?? -1n) ? saved : handled
}

/** Whether a consumer at this position has handled everything up to `target`. Positions survive a reset of Kafka, offsets do not. */
export const hasPassed = (at: ConsumerPosition | undefined, target: ConsumerPosition): boolean => {
  if (at === undefined) return false
  if (at.position !== undefined && target.position !== undefined) return handledUpTo(at) >= target.position
  return (at.offset ?? -1n) >= (target.offset ?? -1n)
}
