/** Marks an error as temporary: an engine is unavailable, or a read model is being replaced. A retry may succeed. */
type Transient = { readonly isTransient: true }

export const isTransient = (error: unknown): error is Error & Transient =>
  error instanceof Error && 'isTransient' in error && error.isTransient === true

/** Marks an error after which nothing was written, because the engine refuses writes at the moment. */
type WriteRefused = { readonly isWriteRefused: true }

export const isWriteRefused = (error: unknown): error is Error & WriteRefused =>
  error instanceof Error && 'isWriteRefused' in error && error.isWriteRefused === true

/** Marks an error after which a write may be recorded. A retry with the same ids is safe and returns the outcome. */
type OutcomeUnknown = { readonly isOutcomeUnknown: true }

export const isOutcomeUnknown = (error: unknown): error is Error & OutcomeUnknown =>
  error instanceof Error && 'isOutcomeUnknown' in error && error.isOutcomeUnknown === true

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
