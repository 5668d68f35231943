import type { PushOutcome } from '@portal/platform/outbound/port'

/** Calls in a row of which the provider took over nothing, until it counts as away. One device that is asked too often is none of them. */
const failuresTolerated = 3
const firstPauseMs = 1_000
const longestPauseMs = 60_000
/** A provider that asks for more is asked again all the same: it may have been one answer that was wrong. */
const longestAskedMs = 15 * 60_000

export type Held = { readonly forMs: number; readonly reason: string }

/**
 * While the push provider is away, one call at a time tries whether it is back, with growing pauses; the others are not made. So a
 * call that takes until its deadline holds up nothing else, and an outage costs few calls.
 */
export const createPushBrake = (elapsedMs: () => number) => {
  let failures = 0
  let pauseMs = firstPauseMs
  let untilMs = 0
  let reason = ''
  let isTrying = false

  return {
    /** For how long no call is made, and why; undefined when one can be made. */
    held: (): Held | undefined => {
      if (failures < failuresTolerated) return undefined
      const leftMs = untilMs - elapsedMs()
      if (leftMs > 0) return { forMs: leftMs, reason }
      return isTrying ? { forMs: firstPauseMs, reason } : undefined
    },
    callBegins: (): void => {
      isTrying = true
    },
    callEnded: (outcomes: readonly PushOutcome[]): void => {
      isTrying = false
      const unavailable = outcomes.filter((outcome) => outcome.kind === 'unavailable')
      const [first] = unavailable
      if (first === undefined || unavailable.length < outcomes.length) {
        failures = 0
        pauseMs = firstPauseMs
        return
      }
      failures += 1
      reason = first.reason
      if (failures < failuresTolerated) return
      const askedMs = Math.max(...unavailable.map(({ retryAfterMs }) => retryAfterMs ?? 0))
      untilMs = elapsedMs() + Math.max(pauseMs, Math.min(askedMs, longestAskedMs))
      pauseMs = Math.min(2 * pauseMs, longestPauseMs)
    },
  }
}
export type PushBrake = ReturnType<typeof createPushBrake>
