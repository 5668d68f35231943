import type { PushOutcome } from './port.ts'

/**
 * Consecutive failed calls before the circuit breaker opens. A call that fails for only some devices does not
 * count.
 */
const failureThreshold = 3
const firstPauseMs = 1_000
const longestPauseMs = 60_000
/** Upper bound for a pause that the provider requests: the request may be an error. */
const maxRequestedMs = 15 * 60_000

type OpenCircuit = { readonly forMs: number; readonly reason: string }

/**
 * Circuit breaker for a push provider. While it is open, one call at a time probes the provider, with exponential
 * backoff; other calls fail immediately. So slow calls delay nothing else, and an outage costs few calls.
 */
export const createPushCircuitBreaker = (elapsedMs: () => number) => {
  let failures = 0
  let pauseMs = firstPauseMs
  let untilMs = 0
  let reason = ''
  let isProbing = false

  return {
    /** Returns how long the circuit stays open and why; undefined if a call is allowed. */
    openFor: (): OpenCircuit | undefined => {
      if (failures < failureThreshold) return undefined
      const leftMs = untilMs - elapsedMs()
      if (leftMs > 0) return { forMs: leftMs, reason }
      return isProbing ? { forMs: firstPauseMs, reason } : undefined
    },
    onCallStart: (): void => {
      isProbing = true
    },
    onCallEnd: (outcomes: readonly PushOutcome[]): void => {
      isProbing = false
      const unavailable = outcomes.flatMap((one) => (one.kind === 'unavailable' && !one.isOfToken ? [one] : []))
      const [first] = unavailable
      if (first === undefined || unavailable.length < outcomes.length) {
        failures = 0
        pauseMs = firstPauseMs
        return
      }
      failures += 1
      reason = first.reason
      if (failures < failureThreshold) return
      const requestedMs = Math.max(...unavailable.map(({ retryAfterMs }) => retryAfterMs ?? 0))
      untilMs = elapsedMs() + Math.max(pauseMs, Math.min(requestedMs, maxRequestedMs))
      pauseMs = Math.min(2 * pauseMs, longestPauseMs)
    },
  }
}
export type PushCircuitBreaker = ReturnType<typeof createPushCircuitBreaker>
