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

const monthOf = (date: Date): string => months[date.getMonth()] ?? ''

/**
 * American English, in the reader's time zone: 'Nov 21'. Not with the browser's formatter, which takes a phone 15 ms to create: longer
 * than most pages take to render. The date must be valid, here and below.
 */
export const monthDay = (date: Date): string => `${monthOf(date).slice(0, 3)} ${date.getDate()}`

/** 'Nov 21, 2026'. */
export const monthDayYear = (date: Date): string => `${monthDay(date)}, ${date.getFullYear()}`

/** 'Saturday, November 21'. */
export const weekdayMonthDay = (date: Date): string =>
  `${weekdays[date.getDay()] ?? ''}, ${monthOf(date)} ${date.getDate()}`

/** '9:05 AM'. */
export const clockTime = (date: Date): string => {
  const hour = date.getHours()
  const minute = String(date.getMinutes()).padStart(2, '0')
  return `${hour % 12 || 12}:${minute} ${hour < 12 ? 'AM' : 'PM'}`
}
