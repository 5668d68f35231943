import type { QuietHours } from '@portal/contracts/notifications/preferences'
import { indiaZone } from '@portal/contracts/shared/india-time'
import { boundedCache } from '@portal/platform/cache/bounded-cache'

const [minuteMs, dayMs] = [60_000, 86_400_000]

const modulo = (value: number, divisor: number): number => ((value % divisor) + divisor) % divisor

/** There are some 600 names of zones; letter case gives more. */
const formats = boundedCache<string, Intl.DateTimeFormat>(1_000)

const formatOf = (timeZone: string): Intl.DateTimeFormat => {
  const known = formats.get(timeZone)
  if (known) return known
  const time = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, ...time })
  formats.set(timeZone, format)
  return format
}

/** Asking Intl takes microseconds, and most users are in India. */
const namesOfIndia: ReadonlySet<string> = new Set(['Asia/Kolkata', 'Asia/Calcutta'])

/** Milliseconds since the midnight that clocks in the zone count from. */
const timeOfDay = (timeZone: string, atMs: number): number => {
  if (namesOfIndia.has(timeZone)) return modulo(atMs + indiaZone.aheadMs, dayMs)
  const [hours = 0, minutes = 0, seconds = 0] = formatOf(timeZone).format(atMs).split(':').map(Number)
  return ((hours * 60 + minutes) * 60 + seconds) * 1_000 + modulo(atMs, 1_000)
}

const parseTime = (text: string): number => {
  const [hours = 0, minutes = 0] = text.split(':').map(Number)
  return (hours * 60 + minutes) * minuteMs
}

/** The first moment in (fromMs, toMs] at which clocks are set: until then they run ahead of UTC as at `fromMs`. */
const clockChange = (timeZone: string, fromMs: number, toMs: number): number => {
  const aheadAt = (atMs: number): number => modulo(timeOfDay(timeZone, atMs) - atMs, dayMs)
  const ahead = aheadAt(fromMs)
  let [before, after] = [fromMs, toMs]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (aheadAt(middle) === ahead) before = middle
    else after = middle
  }
  return after
}

/**
 * When the quiet hours end in which `at` falls; undefined outside of them. Quiet is what clocks in the zone show between the two
 * times. So an hour that is skipped ends with its beginning, and one that is repeated is quiet twice.
 */
export const quietUntil = (quietHours: QuietHours, at: Date): Date | undefined => {
  const { timeZone } = quietHours
  const [from, to] = [parseTime(quietHours.from), parseTime(quietHours.to)]
  const untilEnd = (atMs: number): number | undefined => {
    const time = timeOfDay(timeZone, atMs)
    return modulo(time - from, dayMs) < modulo(to - from, dayMs) ? modulo(to - time, dayMs) : undefined
  }
  let endMs = at.getTime()
  for (;;) {
    const restMs = untilEnd(endMs)
    if (restMs === undefined) return endMs === at.getTime() ? undefined : new Date(endMs)
    const [startMs, plannedMs] = [endMs, endMs + restMs]
    endMs = timeOfDay(timeZone, plannedMs) === to ? plannedMs : clockChange(timeZone, startMs, plannedMs)
  }
}
