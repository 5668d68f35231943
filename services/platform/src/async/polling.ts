import { createRunningState } from './running-state.ts'
import { sleep, systemTimers, type Timers } from './timers.ts'

export type Polling = {
  /** Starts no further round. Resolves once the running one has ended. */
  stop(): Promise<void>
}

type PollingOptions = {
  /** Pause from the end of a round to the beginning of the next. */
  readonly everyMs: number
  /** Called for the first of consecutive failures. */
  onFailure?(error: unknown): void
  readonly timers?: Timers
}

/** Repeats `work` until it is stopped, starting at once. Its timer does not keep the process running. */
export const startPolling = (
  work: (signal: AbortSignal) => Promise<void>,
  { everyMs, onFailure, timers = systemTimers }: PollingOptions,
): Polling => {
  const state = createRunningState()
  const { signal } = state
  let isFailing = false

  const runRound = async (): Promise<void> => {
    try {
      await work(signal)
      isFailing = false
    } catch (error) {
      if (!isFailing && !state.isStopped()) onFailure?.(error)
      isFailing = true
    }
  }
  const run = async (): Promise<void> => {
    while (!state.isStopped()) {
      await runRound()
      await sleep(everyMs, { signal, timers, unref: true })
    }
  }
  const running = run()

  return {
    stop: async () => {
      state.stop()
      await running
    },
  }
}
