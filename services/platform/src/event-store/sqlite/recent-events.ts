import type { Recorded } from '../port.ts'
import type { SerialisedEvent } from '../serialise-append.ts'
import { metadataFrom } from './log-reader.ts'
import { positionOf } from './position.ts'

/** An event that has just been committed, still as text. */
export type FreshEvent = {
  readonly row: number
  readonly stream: string
  readonly revision: number
  readonly at: string
  readonly event: SerialisedEvent
}

/** The newest events in memory, so that live subscribers do not read the table. */
export type RecentEvents = {
  /** Rows come one after the other, without gaps. */
  add(event: FreshEvent): void
  /** The event of that row, parsed once for all readers; undefined when it is no longer or not yet held. */
  at(row: number): Recorded | undefined
}

type Slot = { fresh: FreshEvent; recorded: Recorded | undefined }

const recordedFrom = ({ row, stream, revision, at, event }: FreshEvent): Recorded => ({
  kind: 'event',
  position: positionOf(row),
  stream,
  revision,
  id: event.id,
  type: event.type,
  // From the text, not from the caller's object: what is live is what will be read.
  data: JSON.parse(event.data),
  metadata: metadataFrom(event.metadata),
  at,
})

const sizeOf = (slot: Slot | undefined): number => slot?.fresh.event.data.length ?? 0

export const recentEvents = (maxEvents: number, maxJsonChars: number): RecentEvents => {
  const slots: (Slot | undefined)[] = Array.from({ length: maxEvents })
  let oldest = 0
  let newest = -1
  let jsonChars = 0

  const isOverfull = (): boolean => newest - oldest >= maxEvents || (jsonChars > maxJsonChars && oldest < newest)

  const dropOldest = (): void => {
    jsonChars -= sizeOf(slots[oldest % maxEvents])
    slots[oldest % maxEvents] = undefined
    oldest += 1
  }

  return {
    add: (fresh) => {
      const slot = { fresh, recorded: undefined }
      if (newest === -1) oldest = fresh.row
      newest = fresh.row
      jsonChars += sizeOf(slot)
      // Before the new one takes its slot, which may be the oldest one's.
      while (isOverfull()) dropOldest()
      slots[newest % maxEvents] = slot
    },
    at: (row) => {
      const slot = row < oldest || row > newest ? undefined : slots[row % maxEvents]
      return slot === undefined ? undefined : (slot.recorded ??= recordedFrom(slot.fresh))
    },
  }
}
