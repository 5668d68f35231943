import { DatabaseSync, type DatabaseSyncOptions } from 'node:sqlite'

/** A database file cannot be opened. The message is one line with a remedy. */
class UnusableDatabaseError extends Error {
  override readonly name = 'UnusableDatabaseError'
  readonly isUserFacing = true
}

/** SQLITE_IOERR of sqlite3.h. */
const ioError = 10
const full = 13
const notADatabase = 26

/** SQLite's primary result code; undefined for other errors. */
const resultCodeOf = (error: unknown): number | undefined => {
  if (!(error instanceof Error)) return undefined
  if ('errcode' in error && typeof error.errcode === 'number') return error.errcode % 256
  return resultCodeOf(error.cause)
}

/** Opens a database. An error that concerns its file names the file, and `repair` as the remedy for a damaged one. */
export const wrapDatabaseErrors = <T>(file: string, repair: string, open: () => T): T => {
  try {
    return open()
  } catch (cause) {
    const code = resultCodeOf(cause)
    if (code === undefined || !(cause instanceof Error) || 'isUserFacing' in cause) throw cause
    if (code === full || code === ioError) {
      const text = `${file} cannot be opened (${cause.message}): make room on its disk, then start again`
      throw new UnusableDatabaseError(text, { cause })
    }
    const says = code === notADatabase ? 'is not a database' : 'is damaged or cannot be read'
    throw new UnusableDatabaseError(`${file} ${says} (${cause.message}): ${repair}`, { cause })
  }
}

/** Opens a database, runs `work` and closes it. */
export const withDatabase = <T>(file: string, options: DatabaseSyncOptions, work: (database: DatabaseSync) => T): T => {
  const database = new DatabaseSync(file, options)
  try {
    return work(database)
  } finally {
    database.close()
  }
}
