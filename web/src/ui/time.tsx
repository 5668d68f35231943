import { styled } from '@mui/material/styles'
import { useSyncExternalStore } from 'react'
import { clockTime, monthDay, monthDayYear } from '../lib/date-format.ts'
import { VisuallyHidden } from './visually-hidden.tsx'

const invalidDate = 'Invalid date'

/** 'Nov 21, 2026 • 9:05 AM', in the reader's time zone. */
export const exactTime = (at: string): string => {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return invalidDate
  return `${monthDayYear(date)} • ${clockTime(date)}`
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** 'Just now', '3 min', '5 h', '2 d', and after a week the date. */
export const relativeTime = (at: string, nowMs: number): string => {
  const date = new Date(at)
  const agoMs = nowMs - date.getTime()
  if (Number.isNaN(agoMs)) return invalidDate
  if (agoMs < minuteMs) return 'Just now'
  if (agoMs < hourMs) return `${Math.floor(agoMs / minuteMs)} min`
  if (agoMs < dayMs) return `${Math.floor(agoMs / hourMs)} h`
  if (agoMs < 7 * dayMs) return `${Math.floor(agoMs / dayMs)} d`
  return date.getFullYear() === new Date(nowMs).getFullYear() ? monthDay(date) : monthDayYear(date)
}

/** 'Dec 5, 2026', for a timestamp or a plain date. */
export const dayText = (at: string): string => {
  // Without a time, Date would parse a plain date as midnight UTC, which is another day in some time zones.
  const date = new Date(/^\d{4}-\d{2}-\d{2}$/.test(at) ? `${at}T00:00` : at)
  return Number.isNaN(date.getTime()) ? invalidDate : monthDayYear(date)
}

/** 'Today', 'Yesterday' or the date; undefined for an invalid time. */
export const dayName = (at: string, nowMs: number): string | undefined => {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return undefined
  const now = new Date(nowMs)
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1)
  const day = monthDayYear(date)
  if (day === monthDayYear(now)) return 'Today'
  if (day === monthDayYear(yesterday)) return 'Yesterday'
  return date.getFullYear() === now.getFullYear() ? monthDay(date) : day
}

const Time = styled('time')({ position: 'relative', fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' })

/** One timer for all times on a screen, so that they update together. */
const tickMs = 20_000
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
let nowMs = Date.now()

const tick = () => {
  nowMs = Date.now()
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  if (timer === undefined) {
    // A change renders all times again that have just been rendered. The clock may have been set back meanwhile.
    if (Math.abs(Date.now() - nowMs) >= tickMs) nowMs = Date.now()
    timer = setInterval(tick, tickMs)
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The time of the last tick. */
const useNow = (): number => useSyncExternalStore(subscribe, () => nowMs)

/** The first moment of the current day. The component renders again when the day changes. */
export const useToday = (): number => useSyncExternalStore(subscribe, () => new Date(nowMs).setHours(0, 0, 0, 0))

/** '9:05 AM' for a time of today, otherwise also the date: 'Nov 21, 2026 • 9:05 AM'. */
export const timeOrDate = (at: string, todayMs: number): string =>
  dayName(at, todayMs) === 'Today' ? clockTime(new Date(at)) : exactTime(at)

/** '3 min', with the full time on hover and to screen readers. */
export const RelativeTime = ({ at }: { at: string }) => {
  const now = useNow()
  const exact = exactTime(at)
  return (
    <Time dateTime={at} title={exact}>
      <span aria-hidden="true">{relativeTime(at, now)}</span>
      <VisuallyHidden>{exact}</VisuallyHidden>
    </Time>
  )
}
