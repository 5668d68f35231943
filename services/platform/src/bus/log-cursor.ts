import type { CaughtUp, Checkpoint, Position, RecordedEvent } from '../event-store/port.ts'
import type { Cursor, Cursors } from './port.ts'

/** The in-process bus reads the log, so it has one partition, whose cursors are positions of the log. */
const onlyPartition = '0'
const separator = '#'

/** A position of the log, as a checkpoint if the id of the event there is known. */
export type LogPosition = Checkpoint | Position | 'start'

export const logPosition = (position: Position | 'start', eventId: string | undefined): LogPosition =>
  position === 'start' || eventId === undefined ? position : { position, eventId }

export const positionOf = (at: LogPosition): Position | 'start' => (typeof at === 'string' ? at : at.position)

/** How far the log has been read after this item of a subscription. `before` is how far it had been read. */
export const logPositionAfter = (item: RecordedEvent | CaughtUp, before: LogPosition | undefined): LogPosition => {
  if (item.kind === 'event') return logPosition(item.position, item.id)
  // The store may not know the event at the end of the log.
  const isSame = before !== undefined && positionOf(before) === item.position
  return isSame ? before : logPosition(item.position, item.eventId)
}

/** The partition and cursor of a delivery: `position#eventId` or only the position. Both sort as text. */
export const deliveredAt = (at: LogPosition): { readonly busPartition: string; readonly cursor: Cursor } => ({
  busPartition: onlyPartition,
  // The only code that makes cursors of this bus.
  cursor: (typeof at === 'string' ? at : `${at.position}${separator}${at.eventId}`) as Cursor,
})

/** The cursors of a consumer that has handled the log up to this position. */
export const logCursors = (at: LogPosition): Cursors => {
  const { busPartition, cursor } = deliveredAt(at)
  return { [busPartition]: cursor }
}

/** Where a consumer with these cursors resumes. Without an event id if an older release saved them. */
export const parseLogCursors = (cursors: Readonly<Record<string, string>>): LogPosition => {
  const [position = 'start', eventId] = cursors[onlyPartition]?.split(separator) ?? []
  // Only positions are saved, and the event store rejects any other text.
  return logPosition(position as Position | 'start', eventId)
}

/** Compares only positions, because cursors of older releases have no event id. */
export const hasReachedInLog = (cursors: Cursors, target: Cursors): boolean => {
  const [reached, wanted] = [positionOf(parseLogCursors(cursors)), positionOf(parseLogCursors(target))]
  return wanted === 'start' || (reached !== 'start' && reached >= wanted)
}
