import { DatabaseSync } from 'node:sqlite'

/** 'evnt' */
const applicationId = 0x65766e74
const schemaVersion = 1

const schema = `
  CREATE TABLE events (
    position INTEGER PRIMARY KEY,
    stream TEXT NOT NULL,
    revision INTEGER NOT NULL,
    id TEXT NOT NULL UNIQUE,
    type TEXT NOT NULL,
    data TEXT NOT NULL,
    metadata TEXT,
    recorded_at INTEGER NOT NULL, -- milliseconds since 1970
    UNIQUE (stream, revision)
  ) STRICT;
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
      `${path} has version ${String(version)} of the event store's format, this program knows ${schemaVersion}`,
    )
  }
}

/** Runs `use` on a fresh connection, which is closed again if it throws. */
const connect = (path: string, readOnly: boolean, use: (db: DatabaseSync) => void): DatabaseSync => {
  const db = new DatabaseSync(path, { readOnly, timeout: 5_000 })
  try {
    use(db)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** Opens or makes the file. Every commit is on disk when it returns (WAL with synchronous FULL). */
export const openLogFile = (path: string): DatabaseSync =>
  connect(path, false, (db) => {
    const fresh = isEmpty(db)
    if (!fresh) checkKind(db, path)
    db.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA cache_size = -16384;
      PRAGMA journal_size_limit = 67108864;
    `)
    if (fresh) db.exec(`BEGIN IMMEDIATE; ${schema} COMMIT;`)
  })

export const openLogFileReadOnly = (path: string): DatabaseSync =>
  connect(path, true, (db) => {
    checkKind(db, path)
  })
