import type { DatabaseSync } from 'node:sqlite'
import { isLocked, withDatabase } from '../files/database-file.ts'

/**
 * Users whose key was destroyed while the write-ahead log may still hold its bytes. Recorded in the transaction that destroys the
 * key, so that the next process completes the work of a killed one.
 */
export const unwipedKeysSchema = `
  CREATE TABLE IF NOT EXISTS unwiped_keys (user_id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
`

const retryMs = 1_000
const lockWaitMs = 5_000

/**
 * Truncates the write-ahead log, the only file that can hold a destroyed key: secure_delete overwrites it in the database. Returns
 * false while another connection reads an older state.
 */
const truncateLog = (database: DatabaseSync): boolean => {
  const timeoutMs = Number(database.prepare('PRAGMA busy_timeout').get()?.['timeout'])
  // Waiting for readers would block the event loop.
  database.exec('PRAGMA busy_timeout = 0')
  try {
    return database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'] === 0
  } finally {
    database.exec(`PRAGMA busy_timeout = ${timeoutMs}`)
  }
}

const wipe = (database: DatabaseSync): boolean => {
  const unwiped = database.prepare('SELECT user_id FROM unwiped_keys').all()
  if (!truncateLog(database)) return false
  const remove = database.prepare('DELETE FROM unwiped_keys WHERE user_id = ?')
  for (const { user_id: userId } of unwiped) if (typeof userId === 'string') remove.run(userId)
  return true
}

/** The number of destroyed keys that may still be in the database's files. */
const countUnwiped = (database: DatabaseSync): number =>
  Number(database.prepare('SELECT count(*) AS n FROM unwiped_keys').get()?.['n'])

/** Wipes destroyed keys as soon as no reader blocks it. */
export const createKeyWiper = (database: DatabaseSync) => {
  let retry: NodeJS.Timeout | undefined

  const retryLater = (): void => {
    clearTimeout(retry)
    retry = setTimeout(() => {
      try {
        wipeNow()
      } catch {
        retryLater() // Such as a full disk. The keys stay recorded until the wipe succeeds.
      }
    }, retryMs).unref()
  }
  const wipeUnlessLocked = (): boolean => {
    try {
      return wipe(database)
    } catch (error) {
      if (!isLocked(error)) throw error
      return false
    }
  }
  const wipeNow = (): boolean => {
    const isWiped = countUnwiped(database) === 0 || wipeUnlessLocked()
    if (!isWiped) retryLater()
    return isWiped
  }
  return {
    /** Returns false if a reader blocks the wipe, which is then retried automatically. */
    wipe: wipeNow,
    stop: (): void => clearTimeout(retry),
  }
}

const hasTable = (database: DatabaseSync): boolean =>
  database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'unwiped_keys'").get() !== undefined

/** The number of destroyed keys that may still be in the files of this database. Safe while a portal uses it. */
export const countDestroyedKeysIn = (keysFile: string): number =>
  withDatabase(keysFile, { readOnly: true, timeout: lockWaitMs }, (database) =>
    hasTable(database) ? countUnwiped(database) : 0,
  )

/** Truncates the write-ahead log of this database. Safe while a portal uses it. Returns false while another connection reads it. */
export const wipeDestroyedKeysIn = (keysFile: string): boolean =>
  withDatabase(keysFile, { timeout: lockWaitMs }, (database) => {
    database.exec(unwipedKeysSchema)
    return wipe(database)
  })
