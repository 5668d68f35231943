import { chmod } from 'node:fs/promises'
import { backup, DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { formatPosition } from '../event-store/sqlite/position.ts'
import { withDatabase } from '../files/database-file.ts'
import { sqlitePathOf } from '../files/storage-urls.ts'
import type { ArchivedEnd } from './archived-log.ts'
import type { BackupSource } from './make-backup.ts'

const busyTimeoutMs = 5_000
/** Copies all pages in one step: a copy in several steps restarts whenever the portal writes. */
const allPages = 2 ** 31 - 1

/** The database is damaged, so a copy would be useless. */
export class DamagedDatabaseError extends Error {
  override readonly name = 'DamagedDatabaseError'
  readonly isUserFacing = true
}

/** SQLITE_CORRUPT and SQLITE_NOTADB of sqlite3.h. */
const damage: ReadonlySet<number> = new Set([11, 26])

const isDamage = (error: unknown): error is Error =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' && damage.has(error.errcode % 256)

const damaged = (source: string, why: string, cause?: unknown): DamagedDatabaseError =>
  new DamagedDatabaseError(`${source} is damaged (${why}): restore a backup`, { cause })

/** Checks a copy and leaves WAL mode, so that it is a single file. */
const finishCopy = (source: string, target: string): void =>
  withDatabase(target, {}, (copy) => {
    const found = copy.prepare('PRAGMA quick_check(1)').get()?.['quick_check']
    if (found !== 'ok') throw damaged(source, String(found).replaceAll('\n', ' '))
    copy.exec('PRAGMA journal_mode = DELETE')
  })

/** Copies a consistent snapshot of a database, while other processes may write to it. */
export const copySqliteFile = async (source: string, target: string): Promise<void> => {
  try {
    const db = new DatabaseSync(source, { readOnly: true, timeout: busyTimeoutMs })
    try {
      await backup(db, target, { rate: allPages })
    } finally {
      db.close()
    }
    await chmod(target, 0o600)
    finishCopy(source, target)
  } catch (error) {
    throw isDamage(error) ? damaged(source, error.message, error) : error
  }
}

const lastSchema = z.object({ position: z.number(), id: z.string() }).optional()
const countSchema = z.object({ events: z.number() })

const endOf = (copy: string): ArchivedEnd =>
  withDatabase(copy, { readOnly: true }, (db) => {
    const { events } = countSchema.parse(db.prepare('SELECT count(*) AS events FROM events').get())
    const last = lastSchema.parse(db.prepare('SELECT position, id FROM events ORDER BY position DESC LIMIT 1').get())
    return { events, end: last === undefined ? null : { position: formatPosition(last.position), eventId: last.id } }
  })

/** The source for a portal on SQLite: two databases, each copied in one step. */
export const sqliteSource = (logFile: string, userKeysFile: string): BackupSource => ({
  store: 'sqlite',
  copyLog: async (path, { signal }) => {
    await copySqliteFile(logFile, path)
    signal.throwIfAborted()
    return endOf(path)
  },
  copyKeys: async (path, signal) => {
    await copySqliteFile(userKeysFile, path)
    signal.throwIfAborted()
  },
  close: () => Promise.resolve(),
})

/** Opens the event store and the user keys for a backup. `userKeysFile` is used for SQLite only. */
export const openBackupSource = async (eventStoreUrl: string, userKeysFile: string): Promise<BackupSource> => {
  const eventsFile = sqlitePathOf(eventStoreUrl)
  if (eventsFile !== undefined) return sqliteSource(eventsFile, userKeysFile)
  const { eventStoreDbSource } = await import('./eventstoredb-source.ts')
  return eventStoreDbSource(eventStoreUrl)
}
