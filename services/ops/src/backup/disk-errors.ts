import { CommandError } from '../command.ts'

/** SQLITE_FULL of sqlite3.h. */
const sqliteFull = 13

const causesOf = (error: Error): readonly unknown[] => (error instanceof AggregateError ? error.errors : [error.cause])

const isDiskFull = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')) ||
    ('errcode' in error && error.errcode === sqliteFull) ||
    causesOf(error).some(isDiskFull))

const isDenied = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'EACCES' || error.code === 'EROFS' || error.code === 'EPERM')

/** One line for an error of a full disk or a read-only folder; undefined for another error. */
export const diskErrorText = (folder: string, error: unknown): string | undefined => {
  if (isDiskFull(error)) return `The disk of ${folder} is full: free some space`
  return isDenied(error) ? `${folder} is not writable (${error.message})` : undefined
}

/** Turns errors of a full disk or a read-only folder into a CommandError. */
export const wrapDiskErrors = async <T>(folder: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    const text = diskErrorText(folder, error)
    if (text === undefined) throw error
    throw new CommandError(isDiskFull(error) ? `${text}, then run the command again` : text, { cause: error })
  }
}
