import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type DatabaseSyncOptions } from 'node:sqlite'

/** A database file cannot be opened. The message is one line with a remedy. */
class UnusableDatabaseError extends Error {
  override readonly name = 'UnusableDatabaseError'
  readonly isUserFacing = true
}

/** SQLite's primary result codes, from sqlite3.h. */
const codes = {
  noPermission: 3,
  busy: 5,
  locked: 6,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
} as const

type Fault = { readonly what: string; readonly remedy: string }

const permissionFault = (file: string): Fault => ({
  what: 'may not be read or written by this user',
  remedy: `see who owns it (ls -l ${file})`,
})

const lockedFault = (file: string): Fault => ({
  what: 'is locked by another process',
  remedy: `end that one (fuser ${file} names it)`,
})

/** Another process holds the lock of a database. Nothing was read or written. The message is one line with a remedy. */
export class DatabaseLockedError extends Error {
  override readonly name = 'DatabaseLockedError'
  readonly isUserFacing = true
  readonly isTransient = true
  constructor(file: string, cause: unknown) {
    const { what, remedy } = lockedFault(file)
    super(`${file} ${what}: ${remedy}`, { cause })
  }
}

/** A database was deleted or replaced while it is open, so that everything written since is lost. The message is one line with a remedy. */
export class DatabaseReplacedError extends Error {
  override readonly name = 'DatabaseReplacedError'
  readonly isUserFacing = true
  readonly isTransient = true
}

/** The disk of an open database refuses writes at the moment. The message is one line with a remedy. */
class DatabaseUnwritableError extends Error {
  override readonly name = 'DatabaseUnwritableError'
  readonly isUserFacing = true
  readonly isTransient = true
}

/** What is wrong with a file, and what an operator does about it. Only a damaged one may be replaced. */
const faultOf = (code: number, file: string, repair: string): Fault => {
  switch (code) {
    case codes.busy:
    case codes.locked:
      return { ...lockedFault(file), remedy: `${lockedFault(file).remedy}, then start again` }
    case codes.noPermission:
    case codes.readOnly:
      return permissionFault(file)
    case codes.cannotOpen:
      return existsSync(dirname(file))
        ? permissionFault(file)
        : { what: 'is in a folder that does not exist', remedy: 'check the path, and whether its disk is mounted' }
    case codes.full:
      return { what: 'cannot be written', remedy: 'make room on its disk, then start again' }
    case codes.ioError:
      return { what: 'cannot be read or written', remedy: 'check its disk and the room on it, then start again' }
    case codes.notADatabase:
      return { what: 'is not a database', remedy: repair }
    case codes.corrupt:
      return { what: 'is damaged', remedy: repair }
    default:
      return { what: 'cannot be opened', remedy: 'see the reason' }
  }
}

/** SQLite's primary result code; undefined for other errors. */
const resultCodeOf = (error: unknown): number | undefined => {
  if (!(error instanceof Error)) return undefined
  if ('errcode' in error && typeof error.errcode === 'number') return error.errcode % 256
  return resultCodeOf(error.cause)
}

export const isLocked = (error: unknown): boolean => {
  const code = resultCodeOf(error)
  return code === codes.busy || code === codes.locked
}

/** Runs a write to an open database. An error of its disk names the file and the remedy. */
export const wrapWriteErrors = <T>(file: string, write: () => T): T => {
  try {
    return write()
  } catch (cause) {
    const code = resultCodeOf(cause)
    const isOfDisk = code === codes.full || code === codes.ioError || code === codes.readOnly
    if (!isOfDisk || !(cause instanceof Error)) throw cause
    const says = `${file} cannot be written (${cause.message}): check its disk and the room on it`
    throw new DatabaseUnwritableError(says, { cause })
  }
}

/** Whether SQLite found the file to be damaged. */
export const isDamaged = (error: unknown): boolean => {
  const code = resultCodeOf(error)
  return code === codes.corrupt || code === codes.notADatabase
}

/** Opens a database. An error that concerns its file names the file and the remedy, which is `repair` for a damaged one. */
export const wrapDatabaseErrors = <T>(file: string, repair: string, open: () => T): T => {
  try {
    return open()
  } catch (cause) {
    const code = resultCodeOf(cause)
    if (code === undefined || !(cause instanceof Error) || 'isUserFacing' in cause) throw cause
    const { what, remedy } = faultOf(code, file, repair)
    throw new UnusableDatabaseError(`${file} ${what} (${cause.message}): ${remedy}`, { cause })
  }
}

const identify = (file: string): string | undefined => {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false })
  return found && `${found.dev} ${found.ino}`
}

/** SQLite keeps using the log that it has open, and writes it into the database when it closes. */
const closeSavesLog = 'stop the portal, which saves what is in it, and start it again'

/**
 * Returns a check that the paths of an open database and of its write-ahead log still name the same files. Throws
 * DatabaseReplacedError.
 */
export const watchOpenedFile = (file: string, remedy: string): (() => void) => {
  const watched = [
    { path: file, remedy },
    { path: `${file}-wal`, remedy: closeSavesLog },
  ].map((one) => ({ ...one, opened: identify(one.path) }))
  return () => {
    for (const one of watched) {
      const found = identify(one.path)
      if (found === one.opened || one.opened === undefined) continue
      const what = found === undefined ? 'deleted' : 'replaced'
      throw new DatabaseReplacedError(`${one.path} was ${what} while it is in use: ${one.remedy}`)
    }
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
