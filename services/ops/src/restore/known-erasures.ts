import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { eraseInLog } from '@portal/auth/user/erasure'
import { userIdSchema } from '@portal/contracts/shared/ids'
import { stampOfName } from '@portal/platform/backup/backup-folder'
import { openBackup, type OpenedBackup } from '@portal/platform/backup/open-backup'
import type { EventStore } from '@portal/platform/event-store/port'
import { erasedInKeysFile, readErasures } from '@portal/platform/personal-data/erasure-log'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'

/** The users whose keys are marked as destroyed in the backup. */
const erasedIn = async (backup: OpenedBackup, workFolder: string, signal: AbortSignal): Promise<readonly string[]> => {
  const folder = await mkdtemp(join(workFolder, 'keys-'))
  const keysFile = join(folder, 'user-keys.db')
  try {
    await backup.unpackKeys(keysFile, { signal })
    return erasedInKeysFile(keysFile).map(({ userId }) => userId)
  } finally {
    await rm(folder, { recursive: true })
  }
}

const otherBackupsOf = async (path: string): Promise<readonly string[]> => {
  const folder = dirname(resolve(path))
  const names = (await readdir(folder)).filter((name) => stampOfName(name) !== undefined).toSorted()
  return names.map((name) => join(folder, name)).filter((other) => other !== resolve(path))
}

type KnownErasures = {
  readonly userIds: ReadonlySet<string>
  /** Error messages of other backups that could not be read. */
  readonly unreadable: readonly string[]
}

/**
 * Collects all known erasures, before and after a backup: those recorded in these files, and those in the backup and the portal's other
 * backups in the same folder.
 */
export const knownErasures = async (
  backup: OpenedBackup,
  erasuresFiles: readonly string[],
  workFolder: string,
  signal: AbortSignal,
): Promise<KnownErasures> => {
  const userIds = new Set(erasuresFiles.flatMap(readErasures).map(({ userId }) => userId))
  const unreadable: string[] = []
  const addFrom = async (each: OpenedBackup): Promise<void> => {
    for (const userId of await erasedIn(each, workFolder, signal)) userIds.add(userId)
  }
  // make backup-forget may have destroyed keys in it.
  await addFrom(backup)
  for (const path of await otherBackupsOf(backup.path)) {
    const other = await openBackup(path, { signal })
    if (!other.ok) unreadable.push(other.message)
    else if (other.manifest.masterKey === backup.manifest.masterKey) await addFrom(other)
  }
  return { userIds, unreadable }
}

type Store = { readonly eventStore: EventStore; readonly vault: PersonalDataVault }

/** Erases users in a store that no portal uses. Returns how many of them the log has. Idempotent. */
export const applyErasures = async (store: Store, userIds: Iterable<string>, signal: AbortSignal): Promise<number> => {
  let erased = 0
  for (const userId of userIds) {
    signal.throwIfAborted()
    if ((await eraseInLog(store, userIdSchema.parse(userId))) === 'erased') erased += 1
  }
  return erased
}
