import { join } from 'node:path'
import type { Config } from '@portal/platform/settings/config'
import { dataFiles } from '@portal/platform/files/data-folder'
import { openBackupSource } from '@portal/platform/backup/open-backup-source'

/** Copies all user keys of a stopped portal into a database of the folder. Answers its path. */
export const copyKeysOf = async (
  { eventStoreUrl, dataDir }: Pick<Config, 'eventStoreUrl' | 'dataDir'>,
  workFolder: string,
  signal: AbortSignal,
): Promise<string> => {
  const path = join(workFolder, 'user-keys.db')
  const source = await openBackupSource(eventStoreUrl, dataFiles(dataDir).userKeys)
  try {
    await source.copyKeys(path, signal)
    return path
  } finally {
    await source.close()
  }
}
