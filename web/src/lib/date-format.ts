import { indiaZone } from '@portal/contracts/shared/india-time'
import { currentSession } from './session.ts'

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const
const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const

/**
 * Admins read all times in India Standard Time, so that they agree with the days that the server counts, wherever the admin is.
 * Others read them in the zone of their device.
 */
const isInIndia = (): boolean => currentSession()?.user.role === 'admin'

/** What a clock in the reader's zone shows, as the UTC parts of a date. */
const clockOf = (date: Date): Date =>
  new Date(date.getTime() + (isInIndia() ? indiaZone.aheadMs : -date.getTimezoneOffset() * 60_000))

const monthOf = (clock: Date): string => months[clock.getUTCMonth()] ?? ''

/**
 * American English, in the reader's time zone: 'Nov 21'. Not with the browser's formatter, which takes a phone 15 ms to create: longer
 * than most pages take to render. The date must be valid, here and below.
 */
export const monthDay = (date: Date): string => {
  const clock = clockOf(date)
  return `${monthOf(clock).slice(0, 3)} ${clock.getUTCDate()}`
}

export const yearOf = (date: Date): number => clockOf(date).getUTCFullYear()

/** 'Nov 21, 2026'. */
export const monthDayYear = (date: Date): string => `${monthDay(date)}, ${yearOf(date)}`

/** 'Saturday, November 21'. */
export const weekdayMonthDay = (date: Date): string => {
  const clock = clockOf(date)
  return `${weekdays[clock.getUTCDay()] ?? ''}, ${monthOf(clock)} ${clock.getUTCDate()}`
}

/** '9:05 AM'. */
export const clockTime = (date: Date): string => {
  const clock = clockOf(date)
  const hour = clock.getUTCHours()
  const minute = String(clock.getUTCMinutes()).padStart(2, '0')
  return `${hour % 12 || 12}:${minute} ${hour < 12 ? 'AM' : 'PM'}`
}

/** '2026-11-21', in the reader's time zone. */
export const plainDate = (date: Date): string => clockOf(date).toISOString().slice(0, 10)

/** The first moment of a plain date such as '2026-11-21', in the reader's time zone. Without a time, Date would take it for UTC. */
export const startOfDate = (date: string): Date =>
  isInIndia() ? new Date(Date.parse(date) - indiaZone.aheadMs) : new Date(`${date}T00:00`)
