import type { RecordedEvent } from '../port.ts'
import type { SerializedEvent } from '../serialize-append.ts'
import { metadataFrom } from './log-reader.ts'
import { formatPosition } from './position.ts'

/** A committed event, with its data as JSON text. */
export type CommittedEvent = {
  readonly row: number
  readonly stream: string
  readonly revision: number
  readonly at: string
  readonly event: SerializedEvent
}

/** Caches the newest events, so that live subscribers do not read the table. */
type RecentEvents = {
  /**
   * Adds an event. After a gap in the rows it drops all earlier events: a slot would otherwise be returned for a row of
   * the gap.
   */
  add(event: CommittedEvent): void
  /** The event in that row, parsed once for all readers. Undefined if it is not cached. */
  at(row: number): RecordedEvent | undefined
}

const recordedFrom = ({ row, stream, revision, at, event }: CommittedEvent): RecordedEvent => ({
  kind: 'event',
  position: formatPosition(row),
  stream,
  revision,
  id: event.id,
  type: event.type,
  // Parsed from the text, not taken from the caller's object, so that live events equal stored ones.
  data: JSON.parse(event.data),
  metadata: metadataFrom(event.metadata),
  at,
})

export const createRecentEvents = (maxEvents: number, maxJsonChars: number): RecentEvents => {
  const committed: (CommittedEvent | undefined)[] = Array.from({ length: maxEvents })
  const recorded: (RecordedEvent | undefined)[] = Array.from({ length: maxEvents })
  let oldest = 0
  let newest = -1
  let jsonChars = 0

  const isOverLimit = (): boolean => newest - oldest >= maxEvents || (jsonChars > maxJsonChars && oldest < newest)

  const dropOldest = (): void => {
    const slot = oldest % maxEvents
    jsonChars -= committed[slot]?.event.data.length ?? 0
    committed[slot] = undefined
    recorded[slot] = undefined
    oldest += 1
  }

  return {
    add: (event) => {
      if (event.row !== newest + 1) {
        while (oldest <= newest) dropOldest()
        oldest = event.row
      }
      newest = event.row
      jsonChars += event.event.data.length
      // Drop first: the new event may take the slot of the oldest.
      while (isOverLimit()) dropOldest()
      committed[newest % maxEvents] = event
    },
    at: (row) => {
      const slot = row % maxEvents
      const event = row < oldest || row > newest ? undefined : committed[slot]
      return event === undefined ? undefined : (recorded[slot] ??= recordedFrom(event))
    },
  }
}
