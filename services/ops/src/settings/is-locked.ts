import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/**
 * Whether a process holds the lock of a data folder or of an event store. Only looks: taking the lock to find out could keep
 * a portal that starts at that moment from getting it.
 */
export const isLocked = (lockFile: string): boolean => {
  if (!existsSync(lockFile)) return false
  const lock = new DatabaseSync(lockFile, { readOnly: true, timeout: 0 })
  try {
    lock.prepare('SELECT count(*) FROM sqlite_schema').get()
    return false
  } catch (error) {
    if (error instanceof Error && error.message.includes('locked')) return true
    throw error
  } finally {
    lock.close()
  }
}

/** A portal in one process holds its data folder for as long as it runs. */
export const isDataFolderTaken = (dataDir: string): boolean => isLocked(join(dataDir, 'lock.db'))
