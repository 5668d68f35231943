import type { EventStore, Position, RecordedEvent } from '@portal/platform/event-store/port'
import { readLogToEnd } from '@portal/platform/event-store/read-log-to-end'
import type { EventsQuery } from './query.ts'

export type EventLog = Pick<EventStore, 'read' | 'subscribe'>

type FoundEvents = {
  /** In the order of the log. */
  readonly events: readonly RecordedEvent[]
  /** There are more that fit: older ones, or with AFTER newer ones. */
  readonly isCut: boolean
}

/** A place so many events before the log's end, where a store can tell. */
export type LookBack = (events: number) => Promise<Position | 'start'>

const windows = [4_000, 100_000] as const

type Found = FoundEvents & { readonly oldestLookedAt: string | undefined }

const source = (
  log: EventLog,
  { stream, category }: EventsQuery,
  from: Position | 'start',
): AsyncIterable<RecordedEvent> => {
  if (stream !== undefined) return log.read(stream)
  return readLogToEnd(log, from, category === undefined ? 'all' : { categories: [category] })
}

const fits = ({ types, after, since }: EventsQuery): ((event: RecordedEvent) => boolean) => {
  const sinceIso = since?.toISOString()
  return ({ type, position, at }) =>
    (types === undefined || types.has(type)) &&
    (after === undefined || position > after) &&
    (sinceIso === undefined || at >= sinceIso)
}

/** Never more than twice as many as are wanted are in memory. */
const find = async (log: EventLog, query: EventsQuery, from: Position | 'start'): Promise<Found> => {
  const isWanted = fits(query)
  const { limit, after } = query
  let events: RecordedEvent[] = []
  let isCut = false
  let oldestLookedAt: string | undefined
  for await (const event of source(log, query, from)) {
    oldestLookedAt ??= event.at
    if (!isWanted(event)) continue
    events.push(event)
    if (after !== undefined && events.length > limit) break
    if (events.length < 2 * limit) continue
    events = events.slice(-limit)
    isCut = true
  }
  if (events.length > limit) isCut = true
  return { events: after === undefined ? events.slice(-limit) : events.slice(0, limit), isCut, oldestLookedAt }
}

/** Nothing that was not looked at could change the answer. */
const isEnough = ({ isCut, oldestLookedAt }: Found, { since }: EventsQuery): boolean =>
  isCut || (since !== undefined && oldestLookedAt !== undefined && oldestLookedAt < since.toISOString())

/**
 * The newest events that fit, or those right behind a position. A log can only be read forwards: where its store can tell
 * a place shortly before the end, the newest are looked for from there first; else it is read from its start.
 */
export const findEvents = async (log: EventLog, query: EventsQuery, lookBack?: LookBack): Promise<FoundEvents> => {
  const { stream, after } = query
  // What the operator was shown as a position; the store says so if it is none of its own.
  if (after !== undefined) return find(log, query, after as Position)
  for (const window of stream === undefined && lookBack !== undefined ? windows : []) {
    const from = await lookBack?.(window)
    if (from === undefined || from === 'start') break
    const found = await find(log, query, from)
    if (isEnough(found, query)) return found
  }
  return find(log, query, 'start')
}
