import type { Envelope } from '@portal/contracts/shared/event-envelope'
import type { Checkpoint, Position } from '../../event-store/port.ts'
import { type LogPosition, logPosition } from '../log-cursor.ts'
import type { Cursor } from '../port.ts'
import { eventIdOf, eventPositionOf } from '../relay.ts'

/**
 * How far a consumer is in a bus partition. Everything up to `position` has been handled, of that event all messages of the partition,
 * unless `eventId` is missing: such a cursor of an older release may lie between two messages of one event.
 */
export type Place = {
  /** Of the message in Kafka. Undefined where the messages were read from the log. */
  readonly offset?: bigint
  /** The message's position, or the event's where there is no offset. Shows whether Kafka still holds the same message at the offset. */
  readonly position?: string
  /** Shows whether the log still has the same event at the position. */
  readonly eventId?: string
}

const inTheLog = 'log'

// The one place where this adapter's cursors are made.
export const cursorOf = ({ offset, position, eventId }: Place): Cursor =>
  `${offset ?? inTheLog}${position === undefined ? '' : `@${position}`}${eventId === undefined ? '' : `#${eventId}`}` as Cursor

/** Undefined for what this adapter has not made. */
export const placeOf = (cursor: Cursor): Place | undefined => {
  const parts = /^(?<offset>log|-1|\d{1,19})(?:@(?<position>[^#]+)(?:#(?<eventId>.+))?)?$/.exec(cursor)?.groups
  if (parts?.offset === undefined) return undefined
  const { offset, position, eventId } = parts
  return {
    ...(offset !== inTheLog && { offset: BigInt(offset) }),
    ...(position !== undefined && { position }),
    ...(eventId !== undefined && { eventId }),
  }
}

/** What a partition holds: from `low` up to, without, `high`. */
export type Bounds = { readonly low: bigint; readonly high: bigint }

/** The last event that has been handled whole. */
export const logPlaceOf = (place: Place | undefined): LogPosition => {
  if (place?.position === undefined) return 'start'
  if (place.offset !== undefined && place.eventId === undefined) return 'start'
  // Positions come from the log, by way of envelopes and cursors.
  return logPosition(eventPositionOf(place.position) as Position, place.eventId)
}

export const atLogPlace = (place: LogPosition): Place =>
  place === 'start' ? {} : typeof place === 'string' ? { position: place } : place

/** Undefined where there is nothing to compare with. */
export const checkpointOf = (place: Place): Checkpoint | undefined => {
  if (place.position === undefined || place.eventId === undefined) return undefined
  return { position: eventPositionOf(place.position) as Position, eventId: place.eventId }
}

/** After the last of an event's messages in the partition. */
export const placeAfter = (envelope: Envelope, offset: bigint | undefined): Place =>
  offset === undefined
    ? { position: eventPositionOf(envelope.position), eventId: eventIdOf(envelope.id) }
    : { offset, position: envelope.position, eventId: eventIdOf(envelope.id) }

/** Behind all messages of the event in the order of texts, and before those of the next. */
const lastOfEvent = ':~'

/** Messages up to this position, compared as text, have been handled. */
export const floorOf = (place: Place | undefined): string =>
  place?.position === undefined
    ? ''
    : place.offset !== undefined && place.eventId === undefined
      ? place.position
      : `${eventPositionOf(place.position)}${lastOfEvent}`

/** The one that is further in the log; in Kafka, where one of them has no position. */
export const further = (here: Place | undefined, saved: Place | undefined): Place | undefined => {
  if (here === undefined || saved === undefined) return here ?? saved
  const [mine, other] = [floorOf(here), floorOf(saved)]
  if (mine !== '' && other !== '') return other > mine ? saved : here
  return (saved.offset ?? -1n) > (here.offset ?? -1n) ? saved : here
}

/** Whether a consumer at `place` has handled everything up to `target`. Positions outlast a reset of Kafka; offsets do not. */
export const hasPassed = (place: Place | undefined, target: Place): boolean => {
  if (place === undefined) return false
  if (place.position !== undefined && target.position !== undefined) return floorOf(place) >= target.position
  return (place.offset ?? -1n) >= (target.offset ?? -1n)
}
