import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** A record of the stand-in's log. As in EventStoreDB, positions are byte offsets, so they have gaps. */
export type LogRecord = {
  readonly position: number
  readonly stream: string
  /** Null for the record of a tombstone. */
  readonly revision: number | null
  readonly id: string
  readonly type: string
  readonly contentType: string
  readonly data: Uint8Array
  readonly metadata: Uint8Array
  readonly createdMs: number
}

export type ProposedRecord = Pick<LogRecord, 'id' | 'type' | 'contentType' | 'data' | 'metadata'>

/** A stream's last revision (-1 without events), and its first visible revision after a soft delete. */
type StreamState = { last: number; readonly startsAt: number; readonly isTombstoned: boolean }

const schema = `
  CREATE TABLE IF NOT EXISTS records (
    position INTEGER PRIMARY KEY, stream TEXT NOT NULL, revision INTEGER, id TEXT NOT NULL, type TEXT NOT NULL,
    content_type TEXT NOT NULL, data BLOB NOT NULL, metadata BLOB NOT NULL, created_ms INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX IF NOT EXISTS record_of_stream ON records (stream, revision);
  CREATE TABLE IF NOT EXISTS streams (
    name TEXT PRIMARY KEY, last INTEGER NOT NULL, starts_at INTEGER NOT NULL, is_tombstoned INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`

type Row = Record<string, unknown>

const bytes = (value: unknown): Uint8Array => {
  if (!(value instanceof Uint8Array)) throw new Error('The column does not contain bytes')
  return value
}

const recordOf = (row: Row): LogRecord => ({
  position: Number(row['position']),
  stream: String(row['stream']),
  revision: row['revision'] === null ? null : Number(row['revision']),
  id: String(row['id']),
  type: String(row['type']),
  contentType: String(row['content_type']),
  data: bytes(row['data']),
  metadata: bytes(row['metadata']),
  createdMs: Number(row['created_ms']),
})

const headerBytes = 96
const endOf = ({ position, data, metadata }: LogRecord): number =>
  position + headerBytes + data.length + metadata.length
/** The default of EventStoreDB. */
const chunkBytes = 256 * 1024 * 1024

export type RecordLog = {
  /** Commits all changes or none. They are on disk when it returns. */
  transaction<T>(work: () => T): T
  streamState(stream: string): StreamState
  setStreamState(stream: string, state: StreamState): void
  /** Call only inside a transaction. Returns the position of the record. */
  write(stream: string, revision: number | null, record: ProposedRecord): number
  findInStream(stream: string, id: string): { readonly revision: number; readonly position: number } | undefined
  /** Reads from a position, inclusive. */
  forwards(from: number, limit: number): LogRecord[]
  /** Reads before a position, newest first. */
  backwards(before: number, limit: number): LogRecord[]
  streamForwards(stream: string, from: number, limit: number): LogRecord[]
  streamBackwards(stream: string, from: number, limit: number): LogRecord[]
  /** Whether a position is between the beginning and the end of a record. */
  isInsideRecord(position: number): boolean
  /** Makes the next record start a new chunk. */
  closeChunk(): void
  /** Deletes the records of tombstoned streams, and those hidden by a soft delete, before a position. */
  scavenge(before: number): void
  close(): void
}

export const openRecordLog = (folder: string | undefined): RecordLog => {
  if (folder !== undefined) mkdirSync(folder, { recursive: true })
  const db = new DatabaseSync(folder === undefined ? ':memory:' : join(folder, 'stand-in.db'))
  db.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA mmap_size = 1073741824;',
  )
  db.exec(schema)
  const insert = db.prepare('INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const selectState = db.prepare('SELECT last, starts_at, is_tombstoned FROM streams WHERE name = ?')
  const upsertState = db.prepare('INSERT OR REPLACE INTO streams VALUES (?, ?, ?, ?)')
  const selectById = db.prepare('SELECT revision, position FROM records WHERE stream = ? AND id = ?')
  const forwards = db.prepare('SELECT * FROM records WHERE position >= ? ORDER BY position LIMIT ?')
  const backwards = db.prepare('SELECT * FROM records WHERE position < ? ORDER BY position DESC LIMIT ?')
  const streamForwards = db.prepare(
    'SELECT * FROM records WHERE stream = ? AND revision >= ? ORDER BY revision LIMIT ?',
  )
  const streamBackwards = db.prepare(
    'SELECT * FROM records WHERE stream = ? AND revision <= ? ORDER BY revision DESC LIMIT ?',
  )
  const hidden = db.prepare(
    `DELETE FROM records WHERE position < ? AND revision IS NOT NULL AND EXISTS (
       SELECT 1 FROM streams WHERE name = stream AND (is_tombstoned = 1 OR revision < starts_at))`,
  )
  const newestBefore = (position: number): LogRecord | undefined => backwards.all(position, 1).map(recordOf)[0]
  const newest = newestBefore(Number.MAX_SAFE_INTEGER)
  let next = newest === undefined ? 0 : endOf(newest)

  return {
    transaction: (work) => {
      const nextBefore = next
      db.exec('BEGIN IMMEDIATE')
      try {
        const result = work()
        db.exec('COMMIT')
        return result
      } catch (error) {
        // If the disk is full, SQLite has already rolled back.
        if (db.isTransaction) db.exec('ROLLBACK')
        next = nextBefore
        throw error
      }
    },
    streamState: (stream) => {
      const row = selectState.get(stream)
      if (row === undefined) return { last: -1, startsAt: 0, isTombstoned: false }
      return {
        last: Number(row['last']),
        startsAt: Number(row['starts_at']),
        isTombstoned: row['is_tombstoned'] === 1,
      }
    },
    setStreamState: (stream, { last, startsAt, isTombstoned }) => {
      upsertState.run(stream, last, startsAt, isTombstoned ? 1 : 0)
    },
    write: (stream, revision, { id, type, contentType, data, metadata }) => {
      const position = next
      insert.run(position, stream, revision, id, type, contentType, data, metadata, Date.now())
      next += headerBytes + data.length + metadata.length
      return position
    },
    findInStream: (stream, id) => {
      const row = selectById.get(stream, id)
      return row === undefined ? undefined : { revision: Number(row['revision']), position: Number(row['position']) }
    },
    forwards: (from, limit) => forwards.all(from, limit).map(recordOf),
    backwards: (before, limit) => backwards.all(before, limit).map(recordOf),
    streamForwards: (stream, from, limit) => streamForwards.all(stream, from, limit).map(recordOf),
    streamBackwards: (stream, from, limit) => streamBackwards.all(stream, from, limit).map(recordOf),
    isInsideRecord: (position) => {
      const before = newestBefore(position)
      return before !== undefined && position < endOf(before)
    },
    closeChunk: () => {
      next = Math.ceil(next / chunkBytes) * chunkBytes
    },
    scavenge: (before) => {
      hidden.run(before)
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    },
    close: () => db.close(),
  }
}
