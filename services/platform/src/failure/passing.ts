/**
 * Carried by an error of a passing state: an engine does not answer, or a read model is about to be replaced. Nothing is wrong
 * with what was asked, and it may well succeed a moment later.
 */
type Passing = { readonly isPassing: true }

export const isPassing = (error: unknown): error is Error & Passing =>
  error instanceof Error && 'isPassing' in error && error.isPassing === true
