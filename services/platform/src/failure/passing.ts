/**
 * Carried by an error of a passing state: an engine does not answer, or a read model is about to be replaced. Nothing is wrong
 * with what was asked, and it may well succeed a moment later.
 */
type Passing = { readonly isPassing: true }

export const isPassing = (error: unknown): error is Error & Passing =>
  error instanceof Error && 'isPassing' in error && error.isPassing === true

/** Carried by an error that leaves open whether a write was recorded. A repetition under the same ids settles it. */
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
    if (!isPassing(error)) throw error
    return false
  }
}
