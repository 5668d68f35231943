import { CommandError } from '../command.ts'

/** From sqlite3.h. */
const sqliteFull = 13

const isDiskFull = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')) ||
    ('errcode' in error && error.errcode === sqliteFull))

const isDenied = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'EACCES' || error.code === 'EROFS' || error.code === 'EPERM')

/** A full disk, and a folder that cannot be written, get one line. */
export const wrapDiskErrors = async <T>(folder: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (isDiskFull(error)) {
      throw new CommandError(`The disk of ${folder} is full: make room, then run the command again`, { cause: error })
    }
    if (isDenied(error)) throw new CommandError(`${folder} cannot be written (${error.message})`, { cause: error })
    throw error
  }
}
