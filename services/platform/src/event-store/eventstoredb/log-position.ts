import { UnknownPositionError } from '../errors.ts'
import type { Position } from '../port.ts'

/** Where a record lies in $all, as EventStoreDB says it. */
export type EventStoreDbPosition = { readonly commit: bigint; readonly prepare: bigint }

/** Sixteen digits each: more bytes than any log will have. */
const digits = 16
const written = /^(\d{16})-(\d{16})$/

const numberText = (value: bigint): string => {
  const text = String(value)
  if (value < 0n || text.length > digits) throw new Error(`Not a place in the log of EventStoreDB: ${text}`)
  return text.padStart(digits, '0')
}

export const formatPosition = ({ commit, prepare }: EventStoreDbPosition): Position =>
  // The one place that makes positions of this store.
  `${numberText(commit)}-${numberText(prepare)}` as Position

/** Undefined for a position that EventStoreDB's adapter has not made. */
export const tryParsePosition = (position: Position): EventStoreDbPosition | undefined => {
  const [, commit, prepare] = written.exec(position) ?? []
  return commit === undefined || prepare === undefined
    ? undefined
    : { commit: BigInt(commit), prepare: BigInt(prepare) }
}

export const parsePosition = (position: Position): EventStoreDbPosition => {
  const place = tryParsePosition(position)
  if (place === undefined) throw new UnknownPositionError(`Not a position of this store: ${JSON.stringify(position)}`)
  return place
}

/** Whether `a` lies behind `b`, where 'start' lies before everything. */
export const isAfter = (a: EventStoreDbPosition | 'start', b: EventStoreDbPosition | 'start'): boolean => {
  if (a === 'start') return false
  if (b === 'start') return true
  return a.commit === b.commit ? a.prepare > b.prepare : a.commit > b.commit
}
