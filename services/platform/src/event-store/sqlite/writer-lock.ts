import { DatabaseSync } from 'node:sqlite'
import { DataFolderInUseError } from '../errors.ts'
import { hasErrorCode, sqliteBusy } from './error-code.ts'

export type WriterLock = { release(): void }

/**
 * Makes this process the only writer of `path`, until it releases or ends. The lock is an open transaction on a file of its
 * own: the system drops it with the process, and readers of the log are not in its way.
 */
export const lockForWriting = (path: string): WriterLock => {
  const lock = new DatabaseSync(`${path}.lock`)
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    throw hasErrorCode(error, sqliteBusy) ? new DataFolderInUseError(path) : error
  }
  return { release: () => lock.close() }
}
