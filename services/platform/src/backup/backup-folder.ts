import { closeSync, existsSync, openSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeFolder } from '../files/data-folder.ts'
import { syncFolder } from '../files/durable-write.ts'
import { type BackupStamp, isLeftover, stampOfName } from './backup-names.ts'

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
