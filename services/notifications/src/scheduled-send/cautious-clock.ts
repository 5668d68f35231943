import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'

/** As long as a scheduled send may be late, so that none is sent that was due only because the clock was set forward. */
const trustAfterMs = 3_600_000

type Reading = { readonly atMs: number; readonly aheadMs: number }

/**
 * The time in ms since 1970 for sends that must not go early: the earliest that this machine's clock would have shown at any reading
 * of the last hour. A clock that is set back counts at once; one that is set forward, after an hour. Read it often.
 */
export const createCautiousClock = ({ now, elapsedMs }: Pick<ClockAndIds, 'now' | 'elapsedMs'>): (() => number) => {
  /** By how much the machine's clock is ahead of the monotonic one. Rising, so that the first is the least. */
  const readings: Reading[] = []

  return () => {
    const atMs = elapsedMs()
    const aheadMs = now().getTime() - atMs
    while ((readings.at(-1)?.aheadMs ?? -Infinity) >= aheadMs) readings.pop()
    readings.push({ atMs, aheadMs })
    while ((readings[0]?.atMs ?? atMs) < atMs - trustAfterMs) readings.shift()
    return atMs + (readings[0]?.aheadMs ?? aheadMs)
  }
}
