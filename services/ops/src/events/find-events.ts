import type { EventStore, Position, Recorded } from '@portal/platform/event-store/port'
import { logUpToNow } from '../settings/log-up-to-now.ts'
import type { EventsQuery } from './query.ts'

export type EventLog = Pick<EventStore, 'read' | 'subscribe'>

export type FoundEvents = {
  /** In the order of the log. */
  readonly events: readonly Recorded[]
  /** There are more that fit: older ones, or with AFTER newer ones. */
  readonly isCut: boolean
}

const source = (log: EventLog, { stream, category, after }: EventsQuery): AsyncIterable<Recorded> => {
  if (stream !== undefined) return log.read(stream)
  // What the operator was shown as a position; the store says so if it is none of its own.
  const from = (after ?? 'start') as Position | 'start'
  return logUpToNow(log, from, category === undefined ? 'all' : { categories: [category] })
}

const fits = ({ types, after, since }: EventsQuery): ((event: Recorded) => boolean) => {
  const sinceIso = since?.toISOString()
  return ({ type, position, at }) =>
    (types === undefined || types.has(type)) &&
    (after === undefined || position > after) &&
    (sinceIso === undefined || at >= sinceIso)
}

/**
 * The newest events that fit, or those right behind a position. A log can only be read forwards: the newest ones are what is
 * left when it has been read to its end, with never more than twice as many in memory.
 */
export const findEvents = async (log: EventLog, query: EventsQuery): Promise<FoundEvents> => {
  const isWanted = fits(query)
  const { limit, after } = query
  let events: Recorded[] = []
  let isCut = false
  for await (const event of source(log, query)) {
    if (!isWanted(event)) continue
    events.push(event)
    if (after !== undefined && events.length > limit) break
    if (events.length < 2 * limit) continue
    events = events.slice(-limit)
    isCut = true
  }
  if (events.length > limit) isCut = true
  return { events: after === undefined ? events.slice(-limit) : events.slice(0, limit), isCut }
}
