import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { type DamageWatch, watchForDamage } from '../../files/damage-watch.ts'
import { DatabaseLockedError, DatabaseReplacedError, isDamaged } from '../../files/database-file.ts'
import { DataFolderInUseError } from '../errors.ts'

/** Primary result codes, from sqlite3.h. */
const sqliteBusy = 5
const sqliteNotADatabase = 26

const sqliteReadOnly = 8
const sqliteIoError = 10
const sqliteFull = 13
const diskErrors: ReadonlySet<number> = new Set([sqliteBusy, sqliteReadOnly, sqliteIoError, sqliteFull])

const hasErrorCode = (error: unknown, code: number): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === code

const primaryCodeOf = (error: unknown): number | undefined =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode % 256 : undefined

/** The log is damaged, and acknowledges nothing more: it may not be readable after a restart. The message is one line with a remedy. */
class DamagedLogError extends Error {
  override readonly name = 'DamagedLogError'
  readonly isUserFacing = true
  constructor(path: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    super(`${path} is damaged (${reason}): stop the portal and restore a backup`, { cause })
  }
}

export type LogDamage = DamageWatch<DamagedLogError>

export const watchLogDamage = (path: string): LogDamage =>
  watchForDamage(isDamaged, (cause) => new DamagedLogError(path, cause))

/** Whether the file cannot be written at the moment. Other errors are a wrong statement. */
export const isDiskUnavailable = (error: unknown): boolean =>
  error instanceof DamagedLogError ||
  error instanceof DatabaseLockedError ||
  error instanceof DatabaseReplacedError ||
  diskErrors.has(primaryCodeOf(error) ?? 0)

/** SQLITE_IOERR_WRITE: not all of the transaction was written, so it has no end. */
const sqliteIoErrorWrite = 778

/**
 * Whether a failed COMMIT may have recorded the transaction. A refused write (full, read-only, locked) has not: the record that ends
 * a transaction is written last. After another I/O error, such as one of `fsync`, the end may be on disk.
 */
export const mayHaveCommitted = (error: unknown): boolean =>
  !isDiskUnavailable(error) || (primaryCodeOf(error) === sqliteIoError && !hasErrorCode(error, sqliteIoErrorWrite))

/** For commands, which serve nothing meanwhile. The portal waits without blocking the event loop (lock-wait.ts). */
const commandTimeoutMs = 5_000

/** 'plog' */
const applicationId = 0x706c6f67
const schemaVersion = 1

/** 16 MiB, four times SQLite's default: rarer checkpoints write index pages less often. */
const checkpointPages = 4_096
/** A write-ahead log that has grown during a long read is truncated to this size: that of a checkpoint. */
const journalBytes = checkpointPages * 4_096

/**
 * Streams have numbers to keep the index on (stream, revision) small. With names, appends to different streams would also write
 * different index pages; with numbers, new streams share the last page. The view `log` has the fields of the port.
 */
const schema = `
  CREATE TABLE streams (
    number INTEGER PRIMARY KEY,
    category TEXT NOT NULL,
    name TEXT NOT NULL UNIQUE
  ) STRICT;
  CREATE TABLE events (
    position INTEGER PRIMARY KEY,
    stream INTEGER NOT NULL, -- streams.number
    revision INTEGER NOT NULL,
    id TEXT NOT NULL UNIQUE,
    type TEXT NOT NULL,
    data TEXT NOT NULL,
    metadata TEXT,
    recorded_at INTEGER NOT NULL, -- milliseconds since 1970
    UNIQUE (stream, revision)
  ) STRICT;
  CREATE VIEW log AS
    SELECT position, name AS stream, category, revision, id, type, data, metadata, recorded_at
    FROM events JOIN streams ON streams.number = events.stream;
  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${schemaVersion};
`

const pragma = (db: DatabaseSync, name: string): unknown => Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0]

const isEmpty = (db: DatabaseSync): boolean => db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined

const checkKind = (db: DatabaseSync, path: string): void => {
  if (pragma(db, 'application_id') !== applicationId) throw new Error(`${path} is not an event store`)
  const version = pragma(db, 'user_version')
  if (version !== schemaVersion) {
    throw new Error(
      `${path} has version ${String(version)} of the event store's format, this release supports ${schemaVersion}`,
    )
  }
}

/** Opens a connection. Closes it if `prepare` throws. */
const connect = (path: string, readOnly: boolean, prepare: (db: DatabaseSync) => void): DatabaseSync => {
  const db = new DatabaseSync(path, { readOnly, timeout: readOnly ? commandTimeoutMs : 0 })
  try {
    prepare(db)
    return db
  } catch (error) {
    db.close()
    throw hasErrorCode(error, sqliteNotADatabase) ? new Error(`${path} is not an event store`, { cause: error }) : error
  }
}

/** Opens or creates the file. Every commit is on disk when it returns (WAL with synchronous FULL). */
export const openLogFile = (path: string): DatabaseSync =>
  connect(path, false, (db) => {
    const isNew = isEmpty(db)
    if (!isNew) checkKind(db, path)
    db.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA wal_autocheckpoint = ${checkpointPages};
      PRAGMA journal_size_limit = ${journalBytes};
    `)
    if (isNew) db.exec(`BEGIN IMMEDIATE; ${schema} COMMIT;`)
  })

export const openLogFileReadOnly = (path: string): DatabaseSync => {
  if (!existsSync(path)) throw new Error(`There is no event store at ${path}`)
  return connect(path, true, (db) => checkKind(db, path))
}

/** Writes a page without changing it. Throws if writing fails. */
export const probeWrite = (db: DatabaseSync): void => db.exec(`PRAGMA user_version = ${schemaVersion}`)

/**
 * Makes this process the only writer of `path`, until it releases the lock or ends. The lock is an open transaction on a separate
 * file. The operating system releases it when the process ends, and it does not block readers of the log.
 */
export const lockForWriting = (path: string): { release(): void } => {
  const lock = new DatabaseSync(`${path}.lock`)
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    throw hasErrorCode(error, sqliteBusy) ? new DataFolderInUseError(path) : error
  }
  return { release: () => lock.close() }
}
