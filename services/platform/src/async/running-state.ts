/** Whether a component still runs. It runs from its creation until `stop`, and never again. */
type RunningState = {
  /** Aborts on `stop`. */
  readonly signal: AbortSignal
  isStopped(): boolean
  /** Throws once stopped. */
  assertRunning(): void
  /** True for the first call, whose caller releases what the component holds; false for a repetition. */
  stop(): boolean
}

/** `createStoppedError` makes the error of `assertRunning`. */
export const createRunningState = (
  createStoppedError = (): Error => new Error('The component is stopped'),
): RunningState => {
  const stopping = new AbortController()
  const { signal } = stopping
  return {
    signal,
    isStopped: () => signal.aborted,
    assertRunning: () => {
      if (signal.aborted) throw createStoppedError()
    },
    stop: () => {
      if (signal.aborted) return false
      stopping.abort()
      return true
    },
  }
}
