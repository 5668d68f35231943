import type { Checkpoint, Position } from '../event-store/port.ts'
import type { Cursor, Cursors } from './port.ts'

/** The in-process bus is the log's own tail: it has one partition, and its cursors are places in the log. */
const onlyPartition = '0'
const separator = '#'

/** A place in the log; a checkpoint where the event there is known. */
export type LogPlace = Checkpoint | Position | 'start'

export const logPlace = (position: Position | 'start', eventId: string | undefined): LogPlace =>
  position === 'start' || eventId === undefined ? position : { position, eventId }

export const positionOf = (place: LogPlace): Position | 'start' => (typeof place === 'string' ? place : place.position)

/** A delivery's partition and cursor: `position#eventId`, or the position alone. Both order as text. */
export const deliveredAt = (place: LogPlace): { readonly busPartition: string; readonly cursor: Cursor } => ({
  busPartition: onlyPartition,
  // The one place that makes cursors of this bus.
  cursor: (typeof place === 'string' ? place : `${place.position}${separator}${place.eventId}`) as Cursor,
})

/** The cursors of a consumer that has handled the log up to there. */
export const logCursors = (place: LogPlace): Cursors => {
  const { busPartition, cursor } = deliveredAt(place)
  return { [busPartition]: cursor }
}

/** Where a consumer with these cursors resumes. The place has no event id if an earlier version saved them. */
export const placeInLog = (cursors: Readonly<Record<string, string>>): LogPlace => {
  const [position = 'start', eventId] = cursors[onlyPartition]?.split(separator) ?? []
  // Nothing else is ever saved; the event store rejects what it has not made.
  return logPlace(position as Position | 'start', eventId)
}

/** By position alone: the cursor of an earlier version has no event id. */
export const hasReachedInLog = (cursors: Cursors, target: Cursors): boolean => {
  const [reached, wanted] = [positionOf(placeInLog(cursors)), positionOf(placeInLog(target))]
  return wanted === 'start' || (reached !== 'start' && reached >= wanted)
}
