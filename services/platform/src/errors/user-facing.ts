/**
 * Marks an error whose message is one line for an operator, who can fix the cause. A property instead of a class, so that callers
 * need not import the modules that throw it.
 */
type UserFacing = { readonly isUserFacing: true }

export const isUserFacing = (error: unknown): error is Error & UserFacing =>
  error instanceof Error && 'isUserFacing' in error && error.isUserFacing === true

/** The message of a user-facing error; the stack of any other, for a bug report. */
export const messageOrStack = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return isUserFacing(error) ? error.message : (error.stack ?? error.message)
}
