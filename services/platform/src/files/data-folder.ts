import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** What lies where in the data folder, apart from what has an address of its own among the settings. */
export const dataFiles = (dataDir: string) =>
  ({
    /** The users' keys. Must not be restored from a backup that is older than the last erasure. */
    userKeys: join(dataDir, 'user-keys.db'),
    /** Wraps the users' keys. To be backed up apart from everything else. */
    masterKey: join(dataDir, 'master.key'),
    /** Who was erased: a restore of an older backup revives no one. To be backed up with the master key. */
    erasures: join(dataDir, 'erasures.jsonl'),
    /** There while a restore or a move into this data folder is unfinished. */
    restoring: join(dataDir, 'restoring.json'),
    /** Signs the session tokens. */
    sessionKeys: join(dataDir, 'session-keys.json'),
    /** The delivery ledger's folder. */
    ledger: join(dataDir, 'ledger'),
  }) as const

/** The data folder cannot be used. The message is one line, meant for whoever starts the process. */
class DataFolderError extends Error {
  override readonly name = 'DataFolderError'
  readonly isUserFacing = true
}

type DataFolder = { readonly path: string; release(): void }

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

/** To be called before anything is written: what this process makes is readable by its owner alone. */
export const makeFilesPrivate = (): void => void process.umask(0o077)

const ownFile = /^(?:.*\.db(?:-wal|-shm)?|.*\.jsonl|security.*\.log(?:\.\d+)?|master\.key|session-keys\.json)$/
const ownFolders = ['read-models', 'ledger', 'run', 'operations']

const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder)
  } catch {
    return [] // not there yet, or not ours to read: whoever opens it says so
  }
}

const tighten = (path: string): void => {
  try {
    const { mode, uid } = lstatSync(path)
    const isOwn = uid === process.getuid?.()
    const isPlain = (mode & 0o170_000) === 0o100_000 || (mode & 0o170_000) === 0o040_000
    if (isOwn && isPlain && (mode & 0o077) !== 0) chmodSync(path, mode & 0o700)
  } catch {
    // Removed meanwhile, or mounted read-only: then its owner decides.
  }
}

/** For what earlier releases have made with wider modes. Only the portal's own names: DATA_DIR may hold other things. */
export const tightenDataFolder = (dataDir: string): void => {
  for (const name of namesIn(dataDir)) if (ownFile.test(name)) tighten(join(dataDir, name))
  for (const folder of ownFolders) {
    for (const name of namesIn(join(dataDir, folder))) tighten(join(dataDir, folder, name))
    tighten(join(dataDir, folder))
  }
}
