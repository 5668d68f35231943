import type { EventStore, Position, RecordedEvent } from '@portal/platform/event-store/port'
import { readLogToEnd } from '@portal/platform/event-store/read-log-to-end'
import type { EventsQuery } from './query.ts'

export type EventLog = Pick<EventStore, 'read' | 'subscribe'>

type FoundEvents = {
  /** The events found, in log order. */
  readonly events: readonly RecordedEvent[]
  /** More events match: older ones, or with AFTER newer ones. */
  readonly isCut: boolean
}

/** Returns a position this many events before the end of the log. */
export type PositionBeforeEnd = (events: number) => Promise<Position | 'start'>

const windows = [4_000, 100_000] as const

type Found = FoundEvents & { readonly oldestReadAt: string | undefined }

const source = (
  log: EventLog,
  { stream, category }: EventsQuery,
  from: Position | 'start',
): AsyncIterable<RecordedEvent> => {
  if (stream !== undefined) return log.read(stream)
  return readLogToEnd(log, from, category === undefined ? 'all' : { categories: [category] })
}

const matches = ({ types, after, since }: EventsQuery): ((event: RecordedEvent) => boolean) => {
  const sinceIso = since?.toISOString()
  return ({ type, position, at }) =>
    (types === undefined || types.has(type)) &&
    (after === undefined || position > after) &&
    (sinceIso === undefined || at >= sinceIso)
}

/** Keeps at most twice `limit` events in memory. */
const find = async (log: EventLog, query: EventsQuery, from: Position | 'start'): Promise<Found> => {
  const isMatch = matches(query)
  const { limit, after } = query
  let events: RecordedEvent[] = []
  let isCut = false
  let oldestReadAt: string | undefined
  for await (const event of source(log, query, from)) {
    oldestReadAt ??= event.at
    if (!isMatch(event)) continue
    events.push(event)
    if (after !== undefined && events.length > limit) break
    if (events.length < 2 * limit) continue
    events = events.slice(-limit)
    isCut = true
  }
  if (events.length > limit) isCut = true
  return { events: after === undefined ? events.slice(-limit) : events.slice(0, limit), isCut, oldestReadAt }
}

/** Whether older events cannot change the result. */
const isEnough = ({ isCut, oldestReadAt }: Found, { since }: EventsQuery): boolean =>
  isCut || (since !== undefined && oldestReadAt !== undefined && oldestReadAt < since.toISOString())

/**
 * Returns the newest matching events, or with AFTER those after a position. A log can only be read forwards. If the store can compute a
 * position near the end, the search starts there; otherwise it starts at the beginning.
 */
export const findEvents = async (
  log: EventLog,
  query: EventsQuery,
  positionBeforeEnd?: PositionBeforeEnd,
): Promise<FoundEvents> => {
  const { stream, after } = query
  // An operator's input; the store rejects an unknown position.
  if (after !== undefined) return find(log, query, after as Position)
  for (const window of stream === undefined && positionBeforeEnd !== undefined ? windows : []) {
    const from = await positionBeforeEnd?.(window)
    if (from === undefined || from === 'start') break
    const found = await find(log, query, from)
    if (isEnough(found, query)) return found
  }
  return find(log, query, 'start')
}
