import { UnknownPositionError } from '../errors.ts'
import type { Position } from '../port.ts'

const digits = 16
const format = /^\d{16}$/

/** Row numbers start at 1. */
export const formatPosition = (row: number): Position =>
  // The only code that makes positions of this adapter.
  String(row).padStart(digits, '0') as Position

export const positionOrStart = (row: number): Position | 'start' => (row === 0 ? 'start' : formatPosition(row))

/** The row of a position. Undefined for a position that this adapter did not make. */
export const tryParsePosition = (position: Position): number | undefined => {
  const row = format.test(position) ? Number(position) : Number.NaN
  return Number.isSafeInteger(row) ? row : undefined
}

/** The row of a position, 0 for 'start'. Throws UnknownPositionError for a position that this adapter did not make. */
export const parsePosition = (position: Position | 'start'): number => {
  const row = position === 'start' ? 0 : tryParsePosition(position)
  if (row === undefined) throw new UnknownPositionError(`Not a position of this store: ${JSON.stringify(position)}`)
  return row
}

/** The position that many events earlier, to read the newest events of a log. */
export const positionBefore = (position: Position | 'start', events: number): Position | 'start' =>
  positionOrStart(Math.max(0, parsePosition(position) - events))
