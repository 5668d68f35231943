import { z } from 'zod'
import { type LogPlace, logPlace, positionOf } from '../bus/log-cursor.ts'
import type { EventStore } from '../event-store/port.ts'
import type { Checkpoints } from '../read-model/port.ts'

/** A feed's checkpoint is kept like a cursor, as JSON; what else it holds is the feed's own (bus/kafka/checkpoint.ts). */
const keptUnder = 'log'
const checkpointSchema = z.looseObject({ position: z.string() })

/** The end of the log, with the event there where the store tells it. */
export const readLogEnd = async (log: Pick<EventStore, 'subscribe' | 'end'>): Promise<LogPlace> => {
  let place: LogPlace = await log.end()
  const enough = new AbortController()
  try {
    for await (const item of log.subscribe(place, 'all', enough.signal)) {
      if (item.kind === 'event') place = logPlace(item.position, item.id)
      else
        return item.position === positionOf(place) && typeof place !== 'string'
          ? place
          : logPlace(item.position, item.eventId)
    }
    return place
  } finally {
    enough.abort()
  }
}

/** Lets a feed go on behind this place: consumers read what lies before it from the log. */
export const rebaseFeed = async (control: Checkpoints, feed: string, end: LogPlace): Promise<void> => {
  const saved = (await control.loadCursors(feed))[keptUnder]
  // Without a checkpoint the feed looks for its place itself.
  if (saved === undefined) return
  const { eventId: _another, ...own } = checkpointSchema.parse(JSON.parse(saved))
  const place = typeof end === 'string' ? { position: end } : end
  await control.saveCursor(feed, keptUnder, JSON.stringify({ ...own, ...place }))
}
