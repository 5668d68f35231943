/** Marks an error of a temporary condition: an engine is unavailable, or a read model is being replaced. A retry may succeed. */
type Transient = { readonly isTransient: true }

export const isTransient = (error: unknown): error is Error & Transient =>
  error instanceof Error && 'isTransient' in error && error.isTransient === true

/** Marks an error after which a write may or may not be recorded. A retry with the same ids settles it. */
type OutcomeUnknown = { readonly isOutcomeUnknown: true }

export const isOutcomeUnknown = (error: unknown): error is Error & OutcomeUnknown =>
  error instanceof Error && 'isOutcomeUnknown' in error && error.isOutcomeUnknown === true
