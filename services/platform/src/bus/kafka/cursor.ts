import type { Cursor } from '../port.ts'

/**
 * A place in a topic's partition: the offset of the last message handled, and that message's position in the log of events. By
 * the position it shows whether the partition is still the one that the cursor was made in: after Kafka has lost its
 * topics, the same offset belongs to another message.
 */
export type Place = { readonly offset: bigint; readonly position?: string }

// The one place where this adapter's cursors are made.
export const cursorOf = ({ offset, position }: Place): Cursor =>
  (position === undefined ? `${offset}` : `${offset}@${position}`) as Cursor

/** Undefined for what this adapter has not made. */
export const placeOf = (cursor: Cursor): Place | undefined => {
  const parts = /^(?<offset>-1|\d{1,19})(?:@(?<position>.+))?$/.exec(cursor)?.groups
  if (parts?.offset === undefined) return undefined
  const offset = BigInt(parts.offset)
  return parts.position === undefined ? { offset } : { offset, position: parts.position }
}

/** What a partition holds: from `low` up to, without, `high`. */
export type Bounds = { readonly low: bigint; readonly high: bigint }

export type Start = {
  /** The first offset to fetch. */
  readonly offset: bigint
  /** The message there must be this one, and has been handled; otherwise the partition is not the one it was. */
  readonly known?: Required<Place>
  /** Why it does not simply go on. */
  readonly because?: 'kafka was reset' | 'retention has passed it'
}

/** Where a consumer starts that has handled everything up to `place`, or nothing: then at `beginning`. */
export const startAfter = (place: Place | undefined, { low, high }: Bounds, beginning = low): Start => {
  if (place === undefined) return { offset: beginning < low || beginning > high ? low : beginning }
  const next = place.offset + 1n
  if (next > high) return { offset: low, because: 'kafka was reset' }
  if (next < low) return { offset: low, because: 'retention has passed it' }
  if (place.position === undefined || place.offset < low) return { offset: next }
  return { offset: place.offset, known: { offset: place.offset, position: place.position } }
}
