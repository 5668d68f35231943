const ticksUntilOpen = 8

export type CircuitBreaker = {
  /** No call has had a reply for a while. Calls fail at once until a probe gets a reply. */
  readonly isOpen: boolean
  started(): void
  /** A call has ended. An error from the server is an answer, too. */
  ended(wasAnswered: boolean): void
  connected(): void
  stop(): void
}

/**
 * Fails calls fast while the server does not respond. It opens only after several ticks without a reply. Between two ticks a busy process
 * reads the replies that have arrived, so its own delay does not open the breaker.
 */
export const createCircuitBreaker = (silentAfterMs: number, probe: () => Promise<unknown>): CircuitBreaker => {
  let inFlight = 0
  let ticks = 0
  let isOpen = false
  let isProbing = false

  const reset = () => {
    ticks = 0
    isOpen = false
  }

  const timer = setInterval(() => {
    if (inFlight > 0) ticks++
    if (ticks >= ticksUntilOpen) isOpen = true
    if (!isOpen || isProbing) return
    isProbing = true
    const ended = () => void (isProbing = false)
    probe().then(ended, ended)
  }, silentAfterMs / ticksUntilOpen)
  timer.unref()

  return {
    get isOpen() {
      return isOpen
    },
    started: () => void inFlight++,
    ended(wasAnswered) {
      inFlight--
      if (wasAnswered) reset()
      else if (inFlight === 0) ticks = 0
    },
    connected: reset,
    stop: () => clearInterval(timer),
  }
}
