import { styled } from '@mui/material/styles'
import { useSyncExternalStore } from 'react'
import { exactTime, relativeTime } from './time.ts'
import { VisuallyHidden } from './visually-hidden.tsx'

const Time = styled('time')({ position: 'relative', fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' })

/** One clock for all the times on a screen, so that they tick together. */
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
    nowMs = Date.now()
    timer = setInterval(tick, tickMs)
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** '3 min', with the full time on hover and to screen readers. */
export const RelativeTime = ({ at }: { at: string }) => {
  const now = useSyncExternalStore(subscribe, () => nowMs)
  const exact = exactTime(at)
  return (
    <Time dateTime={at} title={exact}>
      <span aria-hidden="true">{relativeTime(at, now)}</span>
      <VisuallyHidden>{exact}</VisuallyHidden>
    </Time>
  )
}
