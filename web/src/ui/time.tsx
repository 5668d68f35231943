import { styled } from '@mui/material/styles'
import { useSyncExternalStore } from 'react'
import { clockTime, monthDay, monthDayYear, plainDate, startOfDate, yearOf } from '../lib/date-format.ts'
import { onServerClockCorrection, serverNowMs } from '../lib/server-clock.ts'
import { VisuallyHidden } from './visually-hidden.tsx'

const invalidDate = 'Invalid date'

/** 'Nov 21, 2026 • 9:05 AM', in the reader's time zone, as all times here. */
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
  return yearOf(date) === yearOf(new Date(nowMs)) ? monthDay(date) : monthDayYear(date)
}

/** 'Dec 5, 2026', for a timestamp or a plain date. */
export const dayText = (at: string): string => {
  const date = /^\d{4}-\d{2}-\d{2}$/.test(at) ? startOfDate(at) : new Date(at)
  return Number.isNaN(date.getTime()) ? invalidDate : monthDayYear(date)
}

const startOfToday = (nowMs: number): Date => startOfDate(plainDate(new Date(nowMs)))

/** 'Today', 'Yesterday' or the date; undefined for an invalid time. */
export const dayName = (at: string, nowMs: number): string | undefined => {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return undefined
  const now = new Date(nowMs)
  const endOfYesterday = new Date(startOfToday(nowMs).getTime() - 1)
  const day = plainDate(date)
  if (day === plainDate(now)) return 'Today'
  if (day === plainDate(endOfYesterday)) return 'Yesterday'
  return yearOf(date) === yearOf(now) ? monthDay(date) : monthDayYear(date)
}

const Time = styled('time')({ position: 'relative', fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' })

/** One timer for all times on a screen, so that they update together. Their ages are those at the server. */
const tickMs = 20_000
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
let nowMs = serverNowMs()

const tick = () => {
  nowMs = serverNowMs()
  for (const listener of listeners) listener()
}
onServerClockCorrection(tick)

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  if (timer === undefined) {
    // A change renders all times again that have just been rendered. The clock may have been set back meanwhile.
    if (Math.abs(serverNowMs() - nowMs) >= tickMs) nowMs = serverNowMs()
    timer = setInterval(tick, tickMs)
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The time of the last tick. The component renders again every 20 seconds. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => nowMs)

/** The first moment of the current day. The component renders again when the day changes. */
export const useToday = (): number => useSyncExternalStore(subscribe, () => startOfToday(nowMs).getTime())

/** The first moment of the current hour. The component renders again when the hour changes. */
export const useThisHour = (): number =>
  useSyncExternalStore(subscribe, () => nowMs - ((nowMs - startOfToday(nowMs).getTime()) % hourMs))

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
