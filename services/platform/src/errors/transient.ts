/** Marks an error of a temporary condition: an engine is unavailable, or a read model is being replaced. A retry may succeed. */
type Transient = { readonly isTransient: true }

export const isTransient = (error: unknown): error is Error & Transient =>
  error instanceof Error && 'isTransient' in error && error.isTransient === true

/** Marks an error after which a write may or may not be recorded. A retry with the same ids settles it. */
type OutcomeUnknown = { readonly isOutcomeUnknown: true }

export const isOutcomeUnknown = (error: unknown): error is Error & OutcomeUnknown =>
  error instanceof Error && 'isOutcomeUnknown' in error && error.isOutcomeUnknown === true

/**
 * For what a request waits for after its write is on record. False where an engine is away: who follows the log does it later,
 * and the write must not look as if it had failed.
 */
export const unlessAway = async (doing: Promise<boolean>): Promise<boolean> => {
  try {
    return await doing
  } catch (error) {
    if (!isTransient(error)) throw error
    return false
  }
}
