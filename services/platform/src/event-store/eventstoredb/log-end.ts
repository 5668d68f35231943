import type { Position } from '../port.ts'
import type { Engine, EngineRecord } from './client.ts'
import { isBehind, type Place, positionOf } from './place.ts'
import { piecesOf } from './reading.ts'

/** The streams of the port: `category-rest`. Neither system streams nor those that have no category. */
export const categoryStreams = '^[a-zA-Z][a-zA-Z0-9]*-'
const isOfCategory = new RegExp(categoryStreams)

/** That a stream has ended is said in that stream itself; it is no event of ours. */
export const isEvent = ({ stream, type }: EngineRecord): boolean =>
  isOfCategory.test(stream) && type !== '$streamDeleted'

/** It is asked for in health checks, which do not wait long. */
const newestTimeoutMs = 2_000

export type Look = {
  /** Of the last event of the log. */
  readonly end: Position | 'start'
  /** The last wanted event behind the place that was asked for. */
  readonly lastWanted: Place | undefined
}

export type LogEnd = {
  /** Takes note of an event of the log, so that nobody has to look beyond it for the end. */
  note(place: Place): void
  look(behind: Place | 'start', isWanted: (record: EngineRecord) => boolean): Promise<Look>
  /** The newest record of all. */
  newest(): Promise<Place | 'start'>
}

/** Mostly the end is near; the further back it is, the larger the pages. */
const pageRecords = { first: 8, most: 512 } as const

async function* backwards(engine: Engine): AsyncGenerator<EngineRecord, void, undefined> {
  let before: Place | 'end' = 'end'
  for (let limit: number = pageRecords.first; ; limit = Math.min(4 * limit, pageRecords.most)) {
    const from: Place | 'end' = before
    let count = 0
    for await (const record of piecesOf(engine.readAllBackwards(from, limit))) {
      count += 1
      before = record.place
      yield record
    }
    const hasMoved = before !== 'end' && (from === 'end' || isBehind(from, before))
    if (count < limit || !hasMoved) return
  }
}

/** Finds the end of the log by reading it backwards: EventStoreDB's own records lie between and behind the events. */
export const logEnd = (engine: Engine): LogEnd => {
  let known: Place | 'start' = 'start'
  const note = (place: Place): void => {
    if (isBehind(place, known)) known = place
  }
  return {
    note,
    look: async (behind, isWanted) => {
      // As it was before the look: what is appended meanwhile may lie behind what is looked at.
      const before = known
      let end: Place | undefined
      let lastWanted: Place | undefined
      for await (const record of backwards(engine)) {
        if (isEvent(record)) {
          end ??= record.place
          if (isBehind(record.place, behind) && isWanted(record)) lastWanted ??= record.place
        }
        const isEndFound = end !== undefined || !isBehind(record.place, before)
        const isWantedFound = lastWanted !== undefined || !isBehind(record.place, behind)
        if (isEndFound && isWantedFound) break
      }
      if (end !== undefined) note(end)
      const last = end ?? before
      return { end: last === 'start' ? 'start' : positionOf(last), lastWanted }
    },
    newest: async () => {
      for await (const { place } of piecesOf(engine.readAllBackwards('end', 1), newestTimeoutMs)) return place
      return 'start'
    },
  }
}
