import type { DatabaseSync } from 'node:sqlite'
import { withDatabase } from '../files/database-file.ts'

/**
 * Users whose key was destroyed while the write-ahead log may still hold its bytes. Recorded in the transaction that destroys
 * the key, so that a process that is killed before the log is emptied leaves the work to the next one.
 */
export const unwipedKeysSchema = `
  CREATE TABLE IF NOT EXISTS unwiped_keys (user_id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
`

const retryMs = 1_000
const lockWaitMs = 5_000

/**
 * Empties the write-ahead log, which is the only file that can hold a destroyed key: secure_delete overwrites it in the
 * database. False while another connection reads an older state.
 */
const emptyLog = (database: DatabaseSync): boolean => {
  // Waiting for readers would block the event loop.
  database.exec('PRAGMA busy_timeout = 0')
  try {
    return database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'] === 0
  } finally {
    database.exec(`PRAGMA busy_timeout = ${lockWaitMs}`)
  }
}

const wipe = (database: DatabaseSync): boolean => {
  const unwiped = database.prepare('SELECT user_id FROM unwiped_keys').all()
  if (!emptyLog(database)) return false
  const forget = database.prepare('DELETE FROM unwiped_keys WHERE user_id = ?')
  for (const { user_id: userId } of unwiped) if (typeof userId === 'string') forget.run(userId)
  return true
}

/** How many destroyed keys may still be in the database's files. */
const countUnwiped = (database: DatabaseSync): number =>
  Number(database.prepare('SELECT count(*) AS n FROM unwiped_keys').get()?.['n'])

/** Wipes destroyed keys as soon as no reader is in the way. */
export const createKeyWiper = (database: DatabaseSync) => {
  let retry: NodeJS.Timeout | undefined

  const retryLater = (): void => {
    clearTimeout(retry)
    retry = setTimeout(() => {
      try {
        wipeNow()
      } catch {
        retryLater() // As on a full disk. The keys stay on record until it has succeeded.
      }
    }, retryMs).unref()
  }
  const wipeNow = (): boolean => {
    const isWiped = countUnwiped(database) === 0 || wipe(database)
    if (!isWiped) retryLater()
    return isWiped
  }
  return {
    /** False when it has to be tried again, which happens by itself. */
    wipe: wipeNow,
    stop: (): void => clearTimeout(retry),
  }
}

const hasTable = (database: DatabaseSync): boolean =>
  database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'unwiped_keys'").get() !== undefined

/** How many destroyed keys may still be in the files of this database, also while a portal uses it. */
export const countDestroyedKeysIn = (keysFile: string): number =>
  withDatabase(keysFile, { readOnly: true, timeout: lockWaitMs }, (database) =>
    hasTable(database) ? countUnwiped(database) : 0,
  )

/** Empties the write-ahead log of this database, also while a portal uses it. False while another connection reads it. */
export const wipeDestroyedKeysIn = (keysFile: string): boolean =>
  withDatabase(keysFile, { timeout: lockWaitMs }, (database) => {
    database.exec(unwipedKeysSchema)
    return wipe(database)
  })
