import { UnknownPositionError } from '../errors.ts'
import type { Position } from '../port.ts'

const digits = 16
const written = /^\d{16}$/

/** Row numbers start at 1; 0 stands for 'start'. */
export const positionOf = (row: number): Position =>
  // The one place that makes positions of this store.
  String(row).padStart(digits, '0') as Position

export const positionOrStart = (row: number): Position | 'start' => (row === 0 ? 'start' : positionOf(row))

/** Undefined for a position that this store has not made. */
export const madeRow = (position: Position): number | undefined => {
  const row = written.test(position) ? Number(position) : Number.NaN
  return Number.isSafeInteger(row) ? row : undefined
}

export const rowOf = (position: Position | 'start'): number => {
  const row = position === 'start' ? 0 : madeRow(position)
  if (row === undefined) throw new UnknownPositionError(`Not a position of this store: ${JSON.stringify(position)}`)
  return row
}

/** A place so many events earlier, for whoever looks for what is new and knows the end. */
export const positionBefore = (position: Position | 'start', events: number): Position | 'start' =>
  positionOrStart(Math.max(0, rowOf(position) - events))
