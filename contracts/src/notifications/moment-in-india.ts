import { indiaZone } from '../shared/india-time.ts'

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

/** 'Dec 1, 2026, 9:00 AM IST' */
export const momentInIndia = (atMs: number): string => {
  const clock = new Date(atMs + indiaZone.aheadMs)
  const hour = clock.getUTCHours()
  const minute = String(clock.getUTCMinutes()).padStart(2, '0')
  const date = `${months[clock.getUTCMonth()]} ${clock.getUTCDate()}, ${clock.getUTCFullYear()}`
  return `${date}, ${hour % 12 || 12}:${minute} ${hour < 12 ? 'AM' : 'PM'} ${indiaZone.shortName}`
}
