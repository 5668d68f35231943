import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { checkNamespace } from '../limits.ts'

/** Raised when the layout changes. A read model of another layout is rebuilt, never migrated. */
const layoutVersion = 1

/**
 * Entries are stored in write order and found through two narrow indexes. Clustered by list, each recipient of a send would dirty a
 * separate page. This way a send to 10,000 inboxes of 100 items writes a third of the pages, and reading 20 items takes some 15 µs more.
 * The member index starts with the member for the same reason: the recipients of one send share it.
 */
const layout = `
  CREATE TABLE documents (
    partition TEXT NOT NULL, collection TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL,
    PRIMARY KEY (partition, collection, key)
  ) WITHOUT ROWID;
  CREATE TABLE lists (id INTEGER PRIMARY KEY, partition TEXT NOT NULL, name TEXT NOT NULL, UNIQUE (partition, name));
  CREATE TABLE entries (
    id INTEGER PRIMARY KEY, list INTEGER NOT NULL, score INTEGER NOT NULL, member TEXT NOT NULL, value TEXT NOT NULL
  );
  CREATE UNIQUE INDEX entry_by_score ON entries (list, score);
  CREATE UNIQUE INDEX entry_by_member ON entries (member, list);
  CREATE TABLE positions (
    projection TEXT NOT NULL, partition TEXT NOT NULL, position TEXT NOT NULL, PRIMARY KEY (projection, partition)
  ) WITHOUT ROWID;
  CREATE TABLE cursors (
    consumer TEXT NOT NULL, bus_partition TEXT NOT NULL, cursor TEXT NOT NULL, PRIMARY KEY (consumer, bus_partition)
  ) WITHOUT ROWID;
  PRAGMA user_version = ${layoutVersion};
`

/**
 * 64 MiB of page cache, and 32 MiB of log before a commit checkpoints it. checkpoints.ts does so earlier. A log that begins again is cut
 * off, so that its size says how much is in it.
 */
const settings = `
  PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
  PRAGMA cache_size = -65536; PRAGMA wal_autocheckpoint = 8192; PRAGMA journal_size_limit = 0;
`

export const inMemory = ':memory:'

/** The path of the namespace's file, or ':memory:'. */
export const fileOf = (path: string, namespace: string): string => {
  checkNamespace(namespace)
  if (path === inMemory) return path
  return join(path, `${namespace}.db`)
}

const versionOf = (db: DatabaseSync): unknown => db.prepare('PRAGMA user_version').get()?.['user_version']

const prepareLayout = (db: DatabaseSync, file: string): void => {
  const version = versionOf(db)
  if (version === layoutVersion) return
  if (version !== 0)
    throw new Error(
      `${file} has read-model layout ${version}, this version uses ${layoutVersion}; delete it to have it rebuilt`,
    )
  db.exec(layout)
}

/** Creates the table if it is missing, so that read models of earlier releases stay usable. */
export const epochOf = (db: DatabaseSync): string => {
  db.exec('CREATE TABLE IF NOT EXISTS epoch (id INTEGER PRIMARY KEY CHECK (id = 1), value TEXT NOT NULL)')
  const find = db.prepare('SELECT value FROM epoch')
  // Reads first: a file that another process has locked for writing can still be opened.
  if (find.get() === undefined) db.prepare('INSERT INTO epoch VALUES (1, ?) ON CONFLICT DO NOTHING').run(randomUUID())
  return String(find.get()?.['value'])
}

/**
 * `path` is a folder with one file per namespace, or ':memory:'.
 *
 * synchronous NORMAL: a power cut may lose the newest commits, each as a whole. Positions go back together with writes, and later messages
 * are applied again from the log.
 */
export const openDatabase = (path: string, namespace: string): { readonly db: DatabaseSync; readonly file: string } => {
  const file = fileOf(path, namespace)
  if (file !== inMemory) mkdirSync(path, { recursive: true })
  // Callers wait for a lock without blocking the event loop (lock-wait.ts).
  const db = new DatabaseSync(file, { timeout: 0 })
  try {
    db.exec(settings)
    if (versionOf(db) !== layoutVersion) {
      // Two processes may open a new file at the same time. The second one finds the layout.
      db.exec('BEGIN IMMEDIATE')
      prepareLayout(db, file)
      db.exec('COMMIT')
    }
    return { db, file }
  } catch (error) {
    db.close()
    throw error
  }
}
