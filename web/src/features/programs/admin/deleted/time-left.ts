const hourMs = 3_600_000

/** '23 hours left'. Undefined once the time is over. */
export const timeLeft = (until: string, nowMs: number): string | undefined => {
  const leftMs = Date.parse(until) - nowMs
  if (leftMs < 0) return undefined
  const hours = Math.floor(leftMs / hourMs)
  if (hours === 0) return 'Less than an hour left'
  return hours === 1 ? '1 hour left' : `${hours} hours left`
}
