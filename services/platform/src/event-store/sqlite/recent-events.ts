import type { RecordedEvent } from '../port.ts'
import type { SerializedEvent } from '../serialize-append.ts'
import { metadataFrom } from './log-reader.ts'
import { positionOf } from './position.ts'

/** An event that has just been committed, still as text. */
export type FreshEvent = {
  readonly row: number
  readonly stream: string
  readonly revision: number
  readonly at: string
  readonly event: SerializedEvent
}

/** The newest events in memory, so that live subscribers do not read the table. */
type RecentEvents = {
  /** Drops all earlier events behind a gap: a slot would otherwise answer for a row of the gap. */
  add(event: FreshEvent): void
  /** The event of that row, parsed once for all readers; undefined when it is no longer or not yet held. */
  at(row: number): RecordedEvent | undefined
}

const recordedFrom = ({ row, stream, revision, at, event }: FreshEvent): RecordedEvent => ({
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

export const recentEvents = (maxEvents: number, maxJsonChars: number): RecentEvents => {
  const fresh: (FreshEvent | undefined)[] = Array.from({ length: maxEvents })
  const recorded: (RecordedEvent | undefined)[] = Array.from({ length: maxEvents })
  let oldest = 0
  let newest = -1
  let jsonChars = 0

  const isOverfull = (): boolean => newest - oldest >= maxEvents || (jsonChars > maxJsonChars && oldest < newest)

  const dropOldest = (): void => {
    const slot = oldest % maxEvents
    jsonChars -= fresh[slot]?.event.data.length ?? 0
    fresh[slot] = undefined
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
      // Before the new one takes its slot, which may be the oldest one's.
      while (isOverfull()) dropOldest()
      fresh[newest % maxEvents] = event
    },
    at: (row) => {
      const slot = row % maxEvents
      const event = row < oldest || row > newest ? undefined : fresh[slot]
      return event === undefined ? undefined : (recorded[slot] ??= recordedFrom(event))
    },
  }
}
