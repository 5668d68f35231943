import { sqlitePathOf } from '../files/storage-urls.ts'
import type { BackupSource } from './make-backup.ts'

/** The event store and the user keys as a backup reads them. `userKeysFile` is used for SQLite only. */
export const openBackupSource = async (eventStoreUrl: string, userKeysFile: string): Promise<BackupSource> => {
  const eventsFile = sqlitePathOf(eventStoreUrl)
  if (eventsFile === undefined) {
    const { eventStoreDbSource } = await import('./eventstoredb-source.ts')
    return eventStoreDbSource(eventStoreUrl)
  }
  const { sqliteSource } = await import('./sqlite-source.ts')
  return sqliteSource(eventsFile, userKeysFile)
}
