import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** The files in the data folder, except those with a setting of their own. */
export const dataFiles = (dataDir: string) =>
  ({
    /** The users' keys. Never restore them from a backup that is older than the last erasure. */
    userKeys: join(dataDir, 'user-keys.db'),
    /** Wraps the users' keys. Back it up separately. */
    masterKey: join(dataDir, 'master.key'),
    /** The erased users, so that a restore of an older backup erases them again. Back it up with the master key. */
    erasures: join(dataDir, 'erasures.jsonl'),
    /** Exists while a restore or a move into this data folder is unfinished. */
    restoring: join(dataDir, 'restoring.json'),
    /** Signs the session tokens. */
    sessionKeys: join(dataDir, 'session-keys.json'),
    /** The folder of the pending deliveries. */
    ledger: join(dataDir, 'ledger'),
  }) as const

/** The data folder cannot be used. The message is one line for the operator. */
class DataFolderError extends Error {
  override readonly name = 'DataFolderError'
  readonly isUserFacing = true
}

type DataFolder = { readonly path: string; release(): void }

/**
 * Creates the folder if it is missing and locks it for this process. The lock is SQLite's on an empty database: the operating system
 * releases it when the process ends, even if it is killed, so locks are never stale.
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

/** Does not use mkdir's recursion: Node never returns from it if the parent rejects new entries, as /proc does. */
export const makeFolder = (path: string): void => {
  if (existsSync(path)) return
  makeFolder(dirname(path))
  mkdirSync(path, { mode: 0o700 })
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Makes all new files of this process readable by their owner only. Call it before anything is written. */
export const makeFilesPrivate = (): void => void process.umask(0o077)

const ownFile = /^(?:.*\.db(?:-wal|-shm)?|.*\.jsonl|security.*\.log(?:\.\d+)?|master\.key|session-keys\.json)$/
const ownFolders = ['read-models', 'ledger', 'run', 'operations']

const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder)
  } catch {
    return [] // missing or not readable; opening it reports the error
  }
}

const tighten = (path: string): void => {
  try {
    const { mode, uid } = lstatSync(path)
    const isOwn = uid === process.getuid?.()
    const isPlain = (mode & 0o170_000) === 0o100_000 || (mode & 0o170_000) === 0o040_000
    if (isOwn && isPlain && (mode & 0o077) !== 0) chmodSync(path, mode & 0o700)
  } catch {
    // Removed meanwhile, or mounted read-only.
  }
}

/** The portal's own files and folders in a folder, which can contain others. */
export const portalFilesIn = (path: string): readonly string[] => [
  ...namesIn(path)
    .filter((name) => ownFile.test(name))
    .map((name) => join(path, name)),
  ...ownFolders.flatMap((folder) => [
    ...namesIn(join(path, folder)).map((name) => join(path, folder, name)),
    join(path, folder),
  ]),
]

/** Tightens the modes of files that earlier releases created. */
export const tightenDataFolder = (dataDir: string): void => {
  for (const file of portalFilesIn(dataDir)) tighten(file)
}
