import { chmodSync, existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** The data folder cannot be used. The message is one line, meant for whoever starts the process. */
export class DataFolderError extends Error {
  override readonly name = 'DataFolderError'
  readonly isUserFacing = true
}

export type DataFolder = { readonly path: string; release(): void }

/**
 * Makes the folder if need be and takes it for this process alone. The lock is SQLite's on an empty database: the
 * operating system lets go of it when the process ends, however it ends, so there is never a stale one.
 */
export const openDataFolder = (path: string): DataFolder => {
  const lock = openLock(path)
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT')
  } catch (cause) {
    lock.close()
    const isTaken = cause instanceof Error && cause.message.includes('locked')
    const reason = isTaken ? 'is in use by another process' : `cannot be used (${messageOf(cause)})`
    throw new DataFolderError(`The data folder ${path} ${reason}`, { cause })
  }
  return { path, release: () => lock.close() }
}

const openLock = (path: string): DatabaseSync => {
  const file = join(path, 'lock.db')
  try {
    makeFolder(path)
    const lock = new DatabaseSync(file, { timeout: 0 })
    chmodSync(file, 0o600)
    return lock
  } catch (cause) {
    throw new DataFolderError(`The data folder ${path} cannot be written (${messageOf(cause)})`, { cause })
  }
}

/** Not mkdir's own recursion: Node never returns from it where the parent exists but refuses, as /proc does. */
export const makeFolder = (path: string): void => {
  if (existsSync(path)) return
  makeFolder(dirname(path))
  mkdirSync(path, { mode: 0o700 })
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
