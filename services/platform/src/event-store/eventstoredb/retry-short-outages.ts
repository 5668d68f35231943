import { setTimeout as sleep } from 'node:timers/promises'
import { EventStoreUnavailableError } from '../errors.ts'

/** An outage as short as this (a node restarts, a leader is elected) is waited through; a longer one is an error. */
const outageMs = 2_000
const pauses = { firstMs: 25, longestMs: 500 } as const
/** Callers wait no longer for a store that does not answer, and no longer than that for one that is known to be away. */
const limits = { firstMs: 4_900, knownOutageMs: 900 } as const

export type OutageRetry = {
  /** Does something again while the store cannot be reached; `work` is given the time it may take. Only for what may be done twice. */
  retryShortOutages<T>(work: (leftMs: number) => Promise<T>, sinceMs?: number): Promise<T>
  /** How long a caller waits at most for a store that does not answer. */
  limitMs(): number
  /** When the store last answered a call, by `performance.now()`. */
  answeredMs(): number
}

/** Of those who share it, the first waits; once an outage has turned out to be long, no other call does until it is over. */
export const createOutageRetry = (): OutageRetry => {
  let isOut = false
  let answeredMs = Number.NEGATIVE_INFINITY
  const answered = (): void => {
    isOut = false
    answeredMs = performance.now()
  }
  const limitMs = (): number => (isOut ? limits.knownOutageMs : limits.firstMs)
  return {
    limitMs,
    answeredMs: () => answeredMs,
    retryShortOutages: async (work, sinceMs = performance.now()) => {
      const endMs = sinceMs + limitMs()
      for (let pauseMs: number = pauses.firstMs; ; pauseMs = Math.min(2 * pauseMs, pauses.longestMs)) {
        try {
          const result = await work(Math.max(1, endMs - performance.now()))
          answered()
          return result
        } catch (error) {
          if (!(error instanceof EventStoreUnavailableError)) {
            answered()
            throw error
          }
          isOut ||= performance.now() - sinceMs + pauseMs > outageMs
          if (isOut) throw error
        }
        await sleep(pauseMs)
      }
    },
  }
}
