/**
 * The read model did not answer, or not in time. It passes by itself. What was asked for may have been done all the same: after
 * a commit, the position tells.
 */
export class ReadModelUnavailableError extends Error {
  override readonly name = 'ReadModelUnavailableError'
  readonly isPassing = true
}
