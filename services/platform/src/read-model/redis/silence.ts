const looksUntilSilent = 8

export type Silence = {
  /** Nothing that was asked has been answered for a while: calls fail at once until a probe is answered. */
  readonly isSilent: boolean
  asked(): void
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
export const watchForSilence = (silentAfterMs: number, probe: () => Promise<unknown>): Silence => {
  let underWay = 0
  let looks = 0
  let isSilent = false
  let isProbing = false

  const heard = () => {
    looks = 0
    isSilent = false
  }

  const timer = setInterval(() => {
    if (underWay > 0) looks++
    if (looks >= looksUntilSilent) isSilent = true
    if (!isSilent || isProbing) return
    isProbing = true
    const ended = () => void (isProbing = false)
    probe().then(ended, ended)
  }, silentAfterMs / looksUntilSilent)
  timer.unref()

  return {
    get isSilent() {
      return isSilent
    },
    asked: () => void underWay++,
    ended(wasAnswered) {
      underWay--
      if (wasAnswered) heard()
      else if (underWay === 0) looks = 0
    },
    connected: heard,
    stop: () => clearInterval(timer),
  }
}
