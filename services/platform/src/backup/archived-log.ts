import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import { z } from 'zod'
import { createRunningState } from '../async/running-state.ts'
import { StoreClosedError, UnknownPositionError } from '../event-store/errors.ts'
import { metadataOf } from '../event-store/eventstoredb/reading.ts'
import type { Checkpoint, Filter, Position, Recorded } from '../event-store/port.ts'
import type { EventLog } from '../event-store/sqlite/event-log.ts'
import { categoryOf } from '../event-store/stream-name.ts'
import { openArchiveFile } from './archive-file.ts'

/** So many events are read in one turn of the event loop. */
const pageEvents = 256

const json = z.string().transform((text): unknown => JSON.parse(text))
const rowSchema = z.object({
  // Positions of an archive are those of the store that it was made of.
  position: z.string().transform((text) => text as Position),
  stream: z.string(),
  revision: z.number().int(),
  id: z.string(),
  type: z.string(),
  data: json,
  metadata: json.transform(metadataOf),
  at: z.string(),
})

const recordedFrom = (row: Record<string, SQLOutputValue>): Recorded => ({ kind: 'event', ...rowSchema.parse(row) })

const passes = (filter: Filter, { stream }: Recorded): boolean =>
  filter === 'all' || filter.categories.includes(categoryOf(stream))

const archiveReader = (db: DatabaseSync) => {
  const selectPage = db.prepare('SELECT * FROM log WHERE position > ? ORDER BY position LIMIT ?')
  const selectStream = db.prepare('SELECT * FROM log WHERE stream = ? AND revision >= ? ORDER BY revision LIMIT ?')
  const selectId = db.prepare('SELECT id FROM log WHERE position = ?')
  const selectEnd = db.prepare('SELECT max(position) AS position FROM log')
  return {
    /** The events behind a position; '' is before the first. */
    page: (after: string): readonly Recorded[] => selectPage.all(after, pageEvents).map(recordedFrom),
    streamPage: (stream: string, from: number): readonly Recorded[] =>
      selectStream.all(stream, from, pageEvents).map(recordedFrom),
    idAt: (position: string): unknown => selectId.get(position)?.['id'],
    end: (): Position | 'start' => {
      const position = selectEnd.get()?.['position']
      // Positions of an archive are those of the store that it was made of.
      return typeof position === 'string' ? (position as Position) : 'start'
    },
  }
}

const untilAborted = async (signal: AbortSignal): Promise<void> => {
  if (!signal.aborted) await once(signal, 'abort')
}

/** The log of an archive, which never grows. Throws NotAnArchiveError for another file. */
export const openArchivedLog = (path: string): EventLog => {
  const db = openArchiveFile(path)
  const reader = archiveReader(db)
  const state = createRunningState(() => new StoreClosedError())

  const placeOf = (after: Position | Checkpoint | 'start'): string => {
    if (after === 'start') return ''
    const position = typeof after === 'string' ? after : after.position
    const end = reader.end()
    if (end === 'start' || position > end)
      throw new UnknownPositionError(`Position ${position} lies behind the end of the archive`)
    if (typeof after !== 'string' && reader.idAt(position) !== after.eventId)
      throw new UnknownPositionError(`Another event is at position ${position} of the archive`)
    return position
  }

  return {
    async *read(stream, fromRevision = 0) {
      let next = fromRevision
      for (;;) {
        state.assertRunning()
        const events = reader.streamPage(stream, next)
        yield* events
        if (events.length < pageEvents) return
        next += events.length
        await nextTurn()
      }
    },
    async *subscribe(after, filter, signal) {
      state.assertRunning()
      const stop = AbortSignal.any([signal, state.signal])
      let place = placeOf(after)
      while (!stop.aborted) {
        const events = reader.page(place)
        for (const event of events) {
          place = event.position
          if (!passes(filter, event)) continue
          yield event
          if (stop.aborted) return
        }
        if (events.length < pageEvents) break
        await nextTurn()
      }
      if (stop.aborted) return
      const position = reader.end()
      const eventId = position === 'start' ? undefined : reader.idAt(position)
      yield { kind: 'caught-up', position, ...(typeof eventId === 'string' && { eventId }) }
      await untilAborted(stop)
    },
    holds: async ({ position, eventId }) => {
      state.assertRunning()
      return reader.idAt(position) === eventId
    },
    end: async () => {
      state.assertRunning()
      return reader.end()
    },
    check: async () => {
      state.assertRunning()
      reader.end()
    },
    close: async () => {
      if (!state.stop()) return
      db.close()
    },
  }
}
