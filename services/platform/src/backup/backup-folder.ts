import { closeSync, existsSync, openSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeFolder } from '../files/data-folder.ts'
import { syncFolder } from '../files/durable-write.ts'
import { peekBackup } from './inspect-container.ts'
import { stampOf } from '../generations/generations.ts'

/** `20261122t190838`, in UTC. Sorts by time. */
type BackupStamp = string & { readonly __brand: 'BackupStamp' }

export const backupStampOf = (at: Date): BackupStamp => stampOf(at) as BackupStamp

const backupName = /^portal-(\d{8}t\d{6})\.backup$/
const leftoverName = /^\.portal-\d{8}t\d{6}\.(partial|parts)$/

/** Undefined if the file name is not that of a backup. */
export const stampOfName = (name: string): BackupStamp | undefined => {
  const stamp = backupName.exec(name)?.[1]
  return stamp === undefined ? undefined : (stamp as BackupStamp)
}

/** Whether a killed backup has left this file. */
const isLeftover = (name: string): boolean => leftoverName.test(name)

export const backupPaths = (folder: string, stamp: BackupStamp) =>
  ({
    file: join(folder, `portal-${stamp}.backup`),
    /** The name of the file while it is written. */
    partial: join(folder, `.portal-${stamp}.partial`),
    /** The folder where its parts are prepared. */
    parts: join(folder, `.portal-${stamp}.parts`),
  }) as const

/** The backup folder is in use or unusable. The message is one line for the operator. */
export class BackupFolderError extends Error {
  override readonly name = 'BackupFolderError'
  readonly isUserFacing = true
}

const lockName = '.lock.db'

/** Creates the folder if it is missing. */
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

/** The operating system releases the lock when the process ends, even if it is killed. */
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

/** Runs `work` with the folder locked, after removing the leftovers of a killed command. */
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

/** The complete backups of a folder, newest first. Empty if the folder is missing. */
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

type FoundBackup = ListedBackup & {
  /** ISO 8601; undefined if it cannot be read. */
  readonly madeAt: string | undefined
  readonly isDamaged: boolean
  /** Of another portal. False for one that cannot be read, and without a fingerprint, which not every machine knows. */
  readonly isForeign: boolean
}

/** The backups of a folder, newest first, with those that cannot be read. */
const readBackups = async function* (folder: string, fingerprint: string | undefined): AsyncGenerator<FoundBackup> {
  for (const listed of await listBackups(folder)) {
    const { manifest, isDamaged } = await peekBackup(listed.path)
    const isForeign = manifest !== undefined && fingerprint !== undefined && manifest.masterKey !== fingerprint
    yield { ...listed, madeAt: manifest?.madeAt, isDamaged, isForeign }
  }
}

/** All of `readBackups`. */
export const findBackups = async (folder: string, fingerprint: string | undefined): Promise<readonly FoundBackup[]> => {
  const found: FoundBackup[] = []
  for await (const each of readBackups(folder, fingerprint)) found.push(each)
  return found
}

/** The newest backup that is not another portal's. A damaged one counts, so that its check finds it. */
export const newestBackup = async (
  folder: string,
  fingerprint: string | undefined,
): Promise<ListedBackup | undefined> => {
  for await (const found of readBackups(folder, fingerprint)) if (!found.isForeign) return found
  return undefined
}

/** Whether the folder has a backup of this name that is not another portal's. */
export const hasBackup = async (folder: string, name: string, fingerprint: string | undefined): Promise<boolean> => {
  const found = (await findBackups(folder, fingerprint)).find((each) => each.name === name)
  return found?.isForeign === false
}

/** The readable backups that the master key with this fingerprint protects, newest first. Portals may share a folder. */
const listOwnBackups = async (folder: string, fingerprint: string): Promise<readonly FoundBackup[]> =>
  (await findBackups(folder, fingerprint)).filter(({ madeAt, isForeign }) => madeAt !== undefined && !isForeign)

type PruneOptions = {
  /** The name of the backup that was just made, which stays whatever the clocks of others said. */
  readonly made: string
  readonly keep: number
  readonly fingerprint: string
  /** Names of backups that failed their check. They do not count, and go once enough good ones are newer. */
  readonly failed: readonly string[]
  /** The name of the newest backup that passed a check, if any. It stays, because nobody knows whether newer ones are good. */
  readonly passed?: string | undefined
}

/** Removes all but the newest backups of this portal. Returns the names of the removed files. */
export const pruneBackups = async (
  folder: string,
  { made, keep, fingerprint, failed, passed }: PruneOptions,
): Promise<readonly string[]> => {
  const own = await listOwnBackups(folder, fingerprint)
  const counted = own.filter(({ name }) => name !== made && !failed.includes(name))
  const kept = [made, ...counted.slice(0, keep - 1).map(({ name }) => name)]
  const oldestKept = kept.toSorted().at(0) ?? made
  const isComplete = kept.length >= keep
  const old = own.filter(({ name }) => isComplete && ![...kept, passed].includes(name) && name < oldestKept)
  for (const { path } of old) await rm(path, { force: true })
  if (old.length > 0) syncFolder(folder)
  return old.map(({ name }) => name)
}
