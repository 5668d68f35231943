import { existsSync } from 'node:fs'
import { deriveKeys } from '../personal-data/master-key.ts'
import type { Config } from '../settings/config.ts'
import { sqlitePathOf } from '../files/storage-urls.ts'
import { type ListedBackup, newestBackup } from './backup-folder.ts'

/** The event store is missing although it was backed up. The message is one line for the operator. */
class LostStoreError extends Error {
  override readonly name = 'LostStoreError'
  readonly isUserFacing = true
}

type Where = Pick<Config, 'eventStoreUrl' | 'backupDir' | 'masterKey'>

/** A folder that cannot be read must not prevent a first start. */
const newestIn = ({ backupDir, masterKey }: Where): Promise<ListedBackup | undefined> =>
  newestBackup(backupDir, masterKey && deriveKeys(masterKey).fingerprint).catch(() => undefined)

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
