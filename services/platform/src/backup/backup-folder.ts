import { closeSync, existsSync, openSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeFolder } from '../files/data-folder.ts'
import { syncFolder } from '../files/durable-write.ts'
import { stampOf } from '../generations/generations.ts'

/** `20261122t190838`, in UTC. Rises with time, as text too. */
type BackupStamp = string & { readonly __brand: 'BackupStamp' }

// The one place that makes stamps of moments.
export const backupStampOf = (at: Date): BackupStamp => stampOf(at) as BackupStamp

const backupName = /^portal-(\d{8}t\d{6})\.backup$/
const leftoverName = /^\.portal-\d{8}t\d{6}\.(partial|parts)$/

/** Undefined for a file that is not named as a backup. */
export const stampOfName = (name: string): BackupStamp | undefined => {
  const stamp = backupName.exec(name)?.[1]
  return stamp === undefined ? undefined : (stamp as BackupStamp)
}

/** What a backup that was killed leaves behind. */
const isLeftover = (name: string): boolean => leftoverName.test(name)

export const backupPaths = (folder: string, stamp: BackupStamp) =>
  ({
    file: join(folder, `portal-${stamp}.backup`),
    /** The file until it is complete. */
    partial: join(folder, `.portal-${stamp}.partial`),
    /** What goes into it is prepared here. */
    parts: join(folder, `.portal-${stamp}.parts`),
  }) as const

/** The backup folder is in use, or cannot be used. The message is one line for the operator. */
export class BackupFolderError extends Error {
  override readonly name = 'BackupFolderError'
  readonly isUserFacing = true
}

const lockName = '.lock.db'

/** Makes the folder if it is missing. */
const openLock = (folder: string): DatabaseSync => {
  const path = join(folder, lockName)
  try {
    makeFolder(folder)
    closeSync(openSync(path, 'a', 0o600))
    return new DatabaseSync(path, { timeout: 0 })
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new BackupFolderError(`BACKUP_DIR: ${folder} cannot be used (${why})`, { cause })
  }
}

/** The operating system releases the lock when the process ends, however it ends. */
const lockFolder = (folder: string): { release(): void } => {
  const lock = openLock(folder)
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return { release: () => lock.close() }
  } catch (cause) {
    lock.close()
    throw new BackupFolderError(`Another command writes to ${folder}: wait for it, then try again`, { cause })
  }
}

/** One command at a time writes to the folder. What a killed one left behind is removed first. */
export const withBackupFolder = async <T>(folder: string, work: () => Promise<T>): Promise<T> => {
  const lock = lockFolder(folder)
  try {
    for (const name of (await readdir(folder)).filter(isLeftover)) {
      await rm(join(folder, name), { recursive: true, force: true })
    }
    return await work()
  } finally {
    lock.release()
  }
}

export type ListedBackup = { readonly path: string; readonly name: string; readonly stamp: BackupStamp }

/** The complete backups of a folder, the newest first. None where there is no folder. */
export const listBackups = async (folder: string): Promise<readonly ListedBackup[]> => {
  if (!existsSync(folder)) return []
  const names = await readdir(folder)
  return names
    .flatMap((name) => {
      const stamp = stampOfName(name)
      return stamp === undefined ? [] : [{ path: join(folder, name), name, stamp }]
    })
    .toSorted((a, b) => (a.stamp < b.stamp ? 1 : -1))
}

/** Removes all but the newest backups. Returns the names of the removed files. */
export const pruneBackups = async (folder: string, keep: number): Promise<readonly string[]> => {
  const old = (await listBackups(folder)).slice(keep)
  for (const { path } of old) await rm(path, { force: true })
  if (old.length > 0) syncFolder(folder)
  return old.map(({ name }) => name)
}
