import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { deriveKeys } from '../personal-data/master-key.ts'
import type { Config } from '../settings/config.ts'
import { sqlitePathOf } from '../files/storage-urls.ts'
import { controlNamespace } from '../generations/open-generations.ts'
import { findBackups, type ListedBackup } from './backup-folder.ts'
import { failedFiles, loadLastBackup } from './last-backup.ts'

/** The event store is missing although it was backed up. The message is one line for the operator. */
class LostStoreError extends Error {
  override readonly name = 'LostStoreError'
  readonly isUserFacing = true
}

type Where = Pick<Config, 'eventStoreUrl' | 'readModelUrl' | 'backupDir' | 'masterKey'>

/** The backups that failed a check, if the read models on this machine are still there. */
const failedChecks = async ({ readModelUrl }: Where): Promise<readonly string[]> => {
  const folder = sqlitePathOf(readModelUrl)
  if (folder === undefined || !existsSync(join(folder, `${controlNamespace}.db`))) return []
  const { openSqliteReadModel } = await import('../read-model/sqlite.ts')
  const control = openSqliteReadModel({ path: folder, namespace: controlNamespace })
  try {
    const recorded = await loadLastBackup(control)
    return recorded === undefined ? [] : failedFiles(recorded)
  } finally {
    await control.close()
  }
}

/** The newest one that is not known to be damaged, or the newest one. A folder that cannot be read must not prevent a first start. */
const newestIn = async (where: Where): Promise<ListedBackup | undefined> => {
  const { backupDir, masterKey } = where
  const all = await findBackups(backupDir, masterKey && deriveKeys(masterKey).fingerprint).catch(() => [])
  const found = all.filter(({ isForeign }) => !isForeign)
  if (found.length === 0) return undefined
  const failed = await failedChecks(where).catch((): readonly string[] => [])
  return found.find(({ name, isDamaged }) => !isDamaged && !failed.includes(name)) ?? found[0]
}

type LostStore = { readonly says: string; readonly todo: string }

/** Says so if there is no event store, but backups of one: its disk is not mounted, or lost. Undefined otherwise. */
export const findLostStore = async (config: Where): Promise<LostStore | undefined> => {
  const file = sqlitePathOf(config.eventStoreUrl)
  if (file === undefined || existsSync(file)) return undefined
  const newest = await newestIn(config)
  if (newest === undefined) return undefined
  return {
    says: `There is no event store at ${file}, but BACKUP_DIR has backups of one (newest: ${newest.path})`,
    todo: `Mount its disk again, or run make restore FROM=${newest.path}. For a new portal, set BACKUP_DIR to an empty folder`,
  }
}

/** All of it in one line. */
export const lostStoreIn = async (config: Where): Promise<string | undefined> => {
  const lost = await findLostStore(config)
  return lost && `${lost.says}. ${lost.todo}`
}

/** Call it before anything is created in the data folder. Throws LostStoreError instead of letting a new portal start. */
export const requireStoreOfBackups = async (config: Where): Promise<void> => {
  const line = await lostStoreIn(config)
  if (line !== undefined) throw new LostStoreError(line)
}
