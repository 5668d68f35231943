import { isTransient, isUserFacing } from '@portal/platform/errors/error-kinds'
import { diskErrorText } from './disk-errors.ts'

/**
 * Records the result of a command that has done its work. If that fails because an engine is unavailable, or for another reason that an
 * operator can fix, prints one line: the result and the exit code stay those of the work.
 */
export const recordAfterwards = async (
  { what, dataDir }: { readonly what: string; readonly dataDir: string },
  record: () => Promise<void>,
): Promise<void> => {
  try {
    await record()
  } catch (error) {
    const why = diskErrorText(dataDir, error) ?? (isUserFacing(error) || isTransient(error) ? error.message : undefined)
    if (why === undefined) throw error
    process.stderr.write(`${what}, but this is not recorded: ${why}\n`)
  }
}
