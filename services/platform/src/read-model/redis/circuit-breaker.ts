const checksUntilOpen = 8

export type CircuitBreaker = {
  /** Nothing that was asked has been answered for a while: calls fail at once until a probe is answered. */
  readonly isOpen: boolean
  started(): void
  /** A call has ended: with an answer of the server, an error among them, or without one. */
  ended(wasAnswered: boolean): void
  /** A new connection was made. */
  connected(): void
  stop(): void
}

/**
 * Looks several times before it believes in silence, because a process that was busy itself has not read the answers yet: each look
 * is a turn of the event loop, in which it reads them.
 */
export const createCircuitBreaker = (silentAfterMs: number, probe: () => Promise<unknown>): CircuitBreaker => {
  let inFlight = 0
  let checks = 0
  let isOpen = false
  let isProbing = false

  const reset = () => {
    checks = 0
    isOpen = false
  }

  const timer = setInterval(() => {
    if (inFlight > 0) checks++
    if (checks >= checksUntilOpen) isOpen = true
    if (!isOpen || isProbing) return
    isProbing = true
    const ended = () => void (isProbing = false)
    probe().then(ended, ended)
  }, silentAfterMs / checksUntilOpen)
  timer.unref()

  return {
    get isOpen() {
      return isOpen
    },
    started: () => void inFlight++,
    ended(wasAnswered) {
      inFlight--
      if (wasAnswered) reset()
      else if (inFlight === 0) checks = 0
    },
    connected: reset,
    stop: () => clearInterval(timer),
  }
}
