import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import type { EventMetadata, Filter, RecordedEvent } from '../port.ts'
import type { LogDamage } from './log-file.ts'
import { formatPosition } from './position.ts'

/** Limits what one turn of the event loop reads. */
const pageLimits = { events: 256, jsonBytes: 1024 * 1024 } as const

type Page = {
  readonly events: readonly RecordedEvent[]
  /** All rows up to this one have been read. The next page starts after it. */
  readonly upToRow: number
}

export type LogReader = {
  /** The row of the last event; 0 for an empty log. */
  lastRow(): number
  /** The id of the event in that row. */
  idAt(row: number): string | undefined
  /** Reads at most a page of the stream's events, from a revision. */
  streamPage(
    stream: string,
    fromRevision: number,
  ): { readonly events: readonly RecordedEvent[]; readonly isLast: boolean }
  /** Reads at most a page of the events that pass the filter, after `afterRow` and up to `upToRow`. */
  logPage(afterRow: number, upToRow: number, filter: Filter): Page
}

type Row = Record<string, SQLOutputValue>

const text = (value: SQLOutputValue | undefined): string => {
  if (typeof value !== 'string') throw new TypeError('The event store has a row that is not an event')
  return value
}

export const integer = (value: SQLOutputValue | undefined): number => {
  if (typeof value !== 'number') throw new TypeError('The event store has a row that is not an event')
  return value
}

/** Parses stored metadata without validation: it is typed when it is appended, and stored unchanged. */
const metadataFrom = (json: string | null): EventMetadata => (json === null ? {} : (JSON.parse(json) as EventMetadata))

const recordedFrom = (row: Row): RecordedEvent => ({
  kind: 'event',
  position: formatPosition(integer(row['position'])),
  stream: text(row['stream']),
  revision: integer(row['revision']),
  id: text(row['id']),
  type: text(row['type']),
  data: JSON.parse(text(row['data'])),
  metadata: metadataFrom(row['metadata'] === null ? null : text(row['metadata'])),
  at: new Date(integer(row['recorded_at'])).toISOString(),
})

/** Reads rows until the page is full. */
const takePage = (rows: Iterable<Row>): { events: RecordedEvent[]; lastRow: number; full: boolean } => {
  const events: RecordedEvent[] = []
  let jsonChars = 0
  let lastRow = 0
  for (const row of rows) {
    events.push(recordedFrom(row))
    lastRow = integer(row['position'])
    jsonChars += text(row['data']).length
    if (events.length >= pageLimits.events || jsonChars >= pageLimits.jsonBytes) return { events, lastRow, full: true }
  }
  return { events, lastRow, full: false }
}

const columns = 'position, stream, revision, id, type, data, metadata, recorded_at'

export const createLogReader = (db: DatabaseSync, { notice }: LogDamage): LogReader => {
  const selectLast = db.prepare('SELECT max(position) AS last FROM events')
  const selectId = db.prepare('SELECT id FROM events WHERE position = ?')
  const selectStream = db.prepare(`SELECT ${columns} FROM log WHERE stream = ? AND revision >= ? ORDER BY revision`)
  const selectAll = db.prepare(`SELECT ${columns} FROM log WHERE position > ? AND position <= ? ORDER BY position`)
  const selectCategories = db.prepare(`
    SELECT ${columns} FROM log
    WHERE position > ? AND position <= ? AND category IN (SELECT value FROM json_each(?)) ORDER BY position
  `)
  /** A page with a filter scans at most this many rows, even if few of them match. */
  const rowsPerFilteredPage = 4_096

  return {
    lastRow: () => {
      const last = notice(() => selectLast.get()?.['last'])
      return last === null ? 0 : integer(last)
    },
    idAt: (row) => {
      const found = notice(() => selectId.get(row))
      return found === undefined ? undefined : text(found['id'])
    },
    streamPage: (stream, fromRevision) => {
      const { events, full } = notice(() => takePage(selectStream.iterate(stream, fromRevision)))
      return { events, isLast: !full }
    },
    logPage: (afterRow, upToRow, filter) => {
      const upTo = filter === 'all' ? upToRow : Math.min(upToRow, afterRow + rowsPerFilteredPage)
      const rows =
        filter === 'all'
          ? selectAll.iterate(afterRow, upTo)
          : selectCategories.iterate(afterRow, upTo, JSON.stringify(filter.categories))
      const { events, lastRow, full } = notice(() => takePage(rows))
      return { events, upToRow: full ? lastRow : upTo }
    },
  }
}
