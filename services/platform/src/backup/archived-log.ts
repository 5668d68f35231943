import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import { createRunningState } from '../async/running-state.ts'
import { StoreClosedError, UnknownPositionError } from '../event-store/errors.ts'
import { parseMetadata } from '../event-store/eventstoredb/decode-event.ts'
import type { Checkpoint, Filter, Position, RecordedEvent, EventStore } from '../event-store/port.ts'
import type { EventLog } from '../event-store/sqlite/event-log.ts'
import { categoryOf } from '../event-store/stream-name.ts'

/** 'parc' */
const applicationId = 0x70617263
const schemaVersion = 1

const schema = `
  CREATE TABLE log (
    position TEXT PRIMARY KEY,
    stream TEXT NOT NULL,
    revision INTEGER NOT NULL,
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    data TEXT NOT NULL,
    metadata TEXT NOT NULL,
    at TEXT NOT NULL, -- ISO 8601
    UNIQUE (stream, revision)
  ) STRICT;
  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${schemaVersion};
`

/** The file is not an archive of an event log, or a newer release created it. */
class NotAnArchiveError extends Error {
  override readonly name = 'NotAnArchiveError'
  readonly isUserFacing = true
}

/** Creates an archive. It is on disk when it is closed; commits need no sync, because an incomplete archive is useless. */
const createArchiveFile = (path: string): DatabaseSync => {
  if (existsSync(path)) throw new Error(`${path} exists`)
  const db = new DatabaseSync(path)
  db.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; ${schema}`)
  return db
}

const pragma = (db: DatabaseSync, name: string): unknown => Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0]

const openArchiveFile = (path: string): DatabaseSync => {
  const db = new DatabaseSync(path, { readOnly: true })
  try {
    if (pragma(db, 'application_id') !== applicationId)
      throw new NotAnArchiveError(`${path} is not an archive of an event log`)
    if (pragma(db, 'user_version') !== schemaVersion)
      throw new NotAnArchiveError(`${path} is an archive of a newer release`)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** Read in one turn of the event loop. */
const pageEvents = 256

const json = z.string().transform((text): unknown => JSON.parse(text))
const rowSchema = z.object({
  // An archive has the positions of the original store.
  position: z.string().transform((text) => text as Position),
  stream: z.string(),
  revision: z.number().int(),
  id: z.string(),
  type: z.string(),
  data: json,
  metadata: json.transform(parseMetadata),
  at: z.string(),
})

const recordedFrom = (row: Record<string, SQLOutputValue>): RecordedEvent => ({
  kind: 'event',
  ...rowSchema.parse(row),
})

const passes = (filter: Filter, { stream }: RecordedEvent): boolean =>
  filter === 'all' || filter.categories.includes(categoryOf(stream))

const archiveReader = (db: DatabaseSync) => {
  const selectPage = db.prepare('SELECT * FROM log WHERE position > ? ORDER BY position LIMIT ?')
  const selectStream = db.prepare('SELECT * FROM log WHERE stream = ? AND revision >= ? ORDER BY revision LIMIT ?')
  const selectId = db.prepare('SELECT id FROM log WHERE position = ?')
  const selectEnd = db.prepare('SELECT max(position) AS position FROM log')
  return {
    /** The events after a position; '' is before the first event. */
    page: (after: string): readonly RecordedEvent[] => selectPage.all(after, pageEvents).map(recordedFrom),
    streamPage: (stream: string, from: number): readonly RecordedEvent[] =>
      selectStream.all(stream, from, pageEvents).map(recordedFrom),
    idAt: (position: string): unknown => selectId.get(position)?.['id'],
    end: (): Position | 'start' => {
      const position = selectEnd.get()?.['position']
      // An archive has the positions of the original store.
      return typeof position === 'string' ? (position as Position) : 'start'
    },
  }
}

const untilAborted = async (signal: AbortSignal): Promise<void> => {
  if (!signal.aborted) await once(signal, 'abort')
}

/** Opens an archived log, which never grows. Throws NotAnArchiveError for another file. */
export const openArchivedLog = (path: string): EventLog => {
  const db = openArchiveFile(path)
  const reader = archiveReader(db)
  const state = createRunningState(() => new StoreClosedError())

  const positionOf = (after: Position | Checkpoint | 'start'): string => {
    if (after === 'start') return ''
    const position = typeof after === 'string' ? after : after.position
    const end = reader.end()
    if (end === 'start' || position > end)
      throw new UnknownPositionError(`Position ${position} is after the end of the archive`)
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
      let current = positionOf(after)
      while (!stop.aborted) {
        const events = reader.page(current)
        for (const event of events) {
          current = event.position
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

const eventsPerTransaction = 1_000

export type ArchivedEnd = { readonly events: number; readonly end: Checkpoint | null }

type ArchiveOptions = {
  readonly log: Pick<EventStore, 'subscribe'>
  /** The file must not exist. */
  readonly path: string
  readonly signal: AbortSignal
  onEvent?(event: RecordedEvent): void
}

/** Copies the log into a SQLite file, up to the end that the subscription reports. */
export const archiveLog = async ({ log, path, signal, onEvent }: ArchiveOptions): Promise<ArchivedEnd> => {
  const db = createArchiveFile(path)
  const stop = new AbortController()
  let events = 0
  let end: Checkpoint | null = null
  try {
    const insert = db.prepare('INSERT INTO log VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
    db.exec('BEGIN')
    for await (const item of log.subscribe('start', 'all', AbortSignal.any([signal, stop.signal]))) {
      if (item.kind === 'caught-up') break
      const { position, stream, revision, id, type, data, metadata, at } = item
      insert.run(position, stream, revision, id, type, JSON.stringify(data), JSON.stringify(metadata), at)
      events += 1
      end = { position, eventId: id }
      onEvent?.(item)
      if (events % eventsPerTransaction === 0) db.exec('COMMIT; BEGIN')
    }
    signal.throwIfAborted()
    db.exec('COMMIT')
    return { events, end }
  } finally {
    stop.abort()
    db.close()
  }
}
