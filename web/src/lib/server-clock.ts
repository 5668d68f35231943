/** How far the clock of this device is behind the server's; negative if it is ahead. */
let behindMs = 0

/** A smaller difference is not worth rendering all times again. */
const toleranceMs = 5_000

const listeners = new Set<() => void>()

/** The time at the server, for comparisons with its timestamps. The time of the device until the server has answered. */
export const serverNowMs = (): number => Date.now() + behindMs

/** What the server's clock showed when this device's showed `deviceMs`. */
export const toServerTime = (deviceMs: number): number => deviceMs + behindMs

/** Calls `onCorrection` whenever `serverNowMs` jumps. */
export const onServerClockCorrection = (onCorrection: () => void): void => {
  listeners.add(onCorrection)
}

/**
 * Learns the server's time from the `Date` header of an answer. The server wrote it, in whole seconds, between the request and now,
 * so a slow network is not taken for a wrong clock.
 */
export const learnServerTime = (dateHeader: string | null, requestedAtMs: number): void => {
  const dateMs = Date.parse(dateHeader ?? '')
  if (Number.isNaN(dateMs)) return
  const [least, most] = [dateMs - Date.now(), dateMs + 1_000 - requestedAtMs]
  if (behindMs > least - toleranceMs && behindMs < most + toleranceMs) return
  behindMs = Math.min(Math.max(0, least), most)
  for (const listener of listeners) listener()
}
