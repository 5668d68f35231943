/** The server sends a code again at most once in this time. */
export const resendAfterMs = 30_000

/** Whole seconds to wait until `fromMs`, rounded up so that 0 means now. */
export const secondsUntil = (fromMs: number, nowMs: number): number => Math.max(0, Math.ceil((fromMs - nowMs) / 1000))

/** Milliseconds until the number of seconds changes next; undefined when it no longer does. */
export const nextTickMs = (fromMs: number, nowMs: number): number | undefined => {
  const leftMs = fromMs - nowMs
  if (leftMs <= 0) return undefined
  return leftMs % 1000 || 1000
}
