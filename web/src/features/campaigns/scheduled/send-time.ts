import { indiaZone } from '@portal/contracts/shared/india-time'

/** A date and a time in India Standard Time, as the fields have them: '2026-12-01' and '09:00'. Empty until they are typed. */
export type TimeFields = { readonly date: string; readonly time: string }

export const fieldsOf = (atMs: number): TimeFields => {
  const clock = new Date(atMs + indiaZone.aheadMs).toISOString()
  return { date: clock.slice(0, 10), time: clock.slice(11, 16) }
}

/** In ms since 1970; undefined unless both fields are filled in. */
export const sendAtMsOf = ({ date, time }: TimeFields): number | undefined => {
  const atMs = Date.parse(`${date}T${time.slice(0, 5)}:00.000Z`) - indiaZone.aheadMs
  return Number.isNaN(atMs) ? undefined : atMs
}

const dayMs = 86_400_000

/** What an admin writes at night should arrive in the morning: the next 9 AM. */
export const firstFields = (nowMs: number): TimeFields => {
  const today = { ...fieldsOf(nowMs), time: '09:00' }
  const isOver = (sendAtMsOf(today) ?? 0) < nowMs + 3_600_000
  return isOver ? { ...today, date: fieldsOf(nowMs + dayMs).date } : today
}

/** 'Dec 1, 3:30 AM GMT', if the clocks of this device show another time than those in India. */
export const ownTime = (atMs: number): string | undefined => {
  const at = new Date(atMs)
  if (at.getTimezoneOffset() * -60_000 === indiaZone.aheadMs) return undefined
  return new Intl.DateTimeFormat('en-US', {
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(at)
}

const minuteMs = 60_000

const counted = (count: number, unit: string): string => `${count} ${unit}`

/** 'in 2 d 3 h', 'in 3 h 20 min', 'in 5 min' or 'due now'. */
export const countdown = (untilMs: number, nowMs: number): string => {
  const minutes = Math.ceil((untilMs - nowMs) / minuteMs)
  if (minutes <= 0) return 'due now'
  const [days, hours, rest] = [Math.floor(minutes / 1_440), Math.floor(minutes / 60) % 24, minutes % 60]
  if (days > 0) return `in ${[counted(days, 'd'), ...(hours > 0 ? [counted(hours, 'h')] : [])].join(' ')}`
  return `in ${[...(hours > 0 ? [counted(hours, 'h')] : []), ...(rest > 0 ? [counted(rest, 'min')] : [])].join(' ')}`
}
