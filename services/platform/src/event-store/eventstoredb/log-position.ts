import { UnknownPositionError } from '../errors.ts'
import type { Position } from '../port.ts'

/** The position of a record in $all. */
export type EventStoreDbPosition = { readonly commit: bigint; readonly prepare: bigint }

/** Positions are byte offsets. Sixteen digits are enough for any log. */
const digits = 16
const format = /^(\d{16})-(\d{16})$/

const numberText = (value: bigint): string => {
  const text = String(value)
  if (value < 0n || text.length > digits) throw new Error(`Not a position of EventStoreDB: ${text}`)
  return text.padStart(digits, '0')
}

export const formatPosition = ({ commit, prepare }: EventStoreDbPosition): Position =>
  // The only code that makes positions of this adapter.
  `${numberText(commit)}-${numberText(prepare)}` as Position

/** Undefined for a position that this adapter did not make. */
export const tryParsePosition = (position: Position): EventStoreDbPosition | undefined => {
  const [, commit, prepare] = format.exec(position) ?? []
  return commit === undefined || prepare === undefined
    ? undefined
    : { commit: BigInt(commit), prepare: BigInt(prepare) }
}

/** Throws UnknownPositionError for a position that this adapter did not make. */
export const parsePosition = (position: Position): EventStoreDbPosition => {
  const parsed = tryParsePosition(position)
  if (parsed === undefined) throw new UnknownPositionError(`Not a position of this store: ${JSON.stringify(position)}`)
  return parsed
}

/** Whether `a` is after `b`. 'start' is before every position. */
export const isAfter = (a: EventStoreDbPosition | 'start', b: EventStoreDbPosition | 'start'): boolean => {
  if (a === 'start') return false
  if (b === 'start') return true
  return a.commit === b.commit ? a.prepare > b.prepare : a.commit > b.commit
}
