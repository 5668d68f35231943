import { sleep, systemTimers, type Timers } from './timers.ts'

export type Backoff = {
  /** Waits before the next attempt. Resolves early when the signal aborts. */
  pause(signal: AbortSignal): Promise<void>
  /** Makes the next pause the first one again. */
  reset(): void
}

type BackoffOptions = {
  readonly firstMs: number
  readonly maxMs: number
  readonly timers?: Timers
}

/** Exponential backoff: each pause is twice as long as the previous one, up to `maxMs`. */
export const createBackoff = ({ firstMs, maxMs, timers = systemTimers }: BackoffOptions): Backoff => {
  let nextMs = firstMs
  return {
    async pause(signal) {
      const pauseMs = nextMs
      nextMs = Math.min(nextMs * 2, maxMs)
      await sleep(pauseMs, { signal, timers })
    },
    reset() {
      nextMs = firstMs
    },
  }
}

type RetryOptions = {
  readonly signal: AbortSignal
  readonly backoff: Backoff
  /** Called after each failure, with the number of failures so far. An error that it throws ends the retries. */
  onFailure(error: unknown, failures: number): void
}

/** Repeats `work` until it succeeds. Resolves with its result, or with undefined once the signal has aborted. */
export const retryUntilAborted = async <T>(
  work: () => Promise<T>,
  { signal, backoff, onFailure }: RetryOptions,
): Promise<T | undefined> => {
  for (let failures = 1; !signal.aborted; failures++) {
    try {
      const result = await work()
      backoff.reset()
      return result
    } catch (error) {
      if (signal.aborted) return undefined
      onFailure(error, failures)
    }
    await backoff.pause(signal)
  }
  return undefined
}
