/** Whether a component is running: from its creation until `stop`. */
type RunningState = {
  /** Aborts on `stop`. */
  readonly signal: AbortSignal
  isStopped(): boolean
  /** Throws once stopped. */
  assertRunning(): void
  /** Returns true for the first call only, which releases the component's resources. */
  stop(): boolean
}

/** `assertRunning` throws the error that `createStoppedError` returns. */
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
