import { CommandError } from '../command.ts'

/** SQLITE_FULL of sqlite3.h. */
const sqliteFull = 13

const isDiskFull = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')) ||
    ('errcode' in error && error.errcode === sqliteFull))

const isDenied = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'EACCES' || error.code === 'EROFS' || error.code === 'EPERM')

/** Turns errors of a full disk or a read-only folder into a CommandError. */
export const wrapDiskErrors = async <T>(folder: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (isDiskFull(error)) {
      throw new CommandError(`The disk of ${folder} is full: free some space, then run the command again`, {
        cause: error,
      })
    }
    if (isDenied(error)) throw new CommandError(`${folder} is not writable (${error.message})`, { cause: error })
    throw error
  }
}
