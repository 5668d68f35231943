import { setTimeout as sleep } from 'node:timers/promises'
import { EventStoreUnavailableError } from '../errors.ts'

/** Outages up to this length are retried: a node restarts, or a leader is elected. */
const maxShortOutageMs = 2_000
const pauses = { firstMs: 25, maxMs: 500 } as const
/** How long a caller waits for an answer, and during an outage that is known to be long. */
const timeouts = { normalMs: 4_900, longOutageMs: 900 } as const

export type OutageRetry = {
  /** Repeats `work` during a short outage, and passes it the time it has left. `work` must be idempotent. */
  retryShortOutages<T>(work: (remainingMs: number) => Promise<T>, sinceMs?: number): Promise<T>
  /** The longest that a caller waits for an answer. */
  timeoutMs(): number
  /** When the store last answered a call, by `performance.now()`. */
  lastAnswerMs(): number
}

/** Shared by all calls to a store. Once one call finds that an outage is long, all others fail at once until it ends. */
export const createOutageRetry = (): OutageRetry => {
  let isOutageLong = false
  let lastAnswerMs = Number.NEGATIVE_INFINITY
  const answered = (): void => {
    isOutageLong = false
    lastAnswerMs = performance.now()
  }
  const timeoutMs = (): number => (isOutageLong ? timeouts.longOutageMs : timeouts.normalMs)
  return {
    timeoutMs,
    lastAnswerMs: () => lastAnswerMs,
    retryShortOutages: async (work, sinceMs = performance.now()) => {
      const endMs = sinceMs + timeoutMs()
      for (let pauseMs: number = pauses.firstMs; ; pauseMs = Math.min(2 * pauseMs, pauses.maxMs)) {
        try {
          const result = await work(Math.max(1, endMs - performance.now()))
          answered()
          return result
        } catch (error) {
          if (!(error instanceof EventStoreUnavailableError)) {
            answered()
            throw error
          }
          isOutageLong ||= performance.now() - sinceMs + pauseMs > maxShortOutageMs
          if (isOutageLong) throw error
        }
        await sleep(pauseMs)
      }
    },
  }
}
