import { useCallback, useSyncExternalStore } from 'react'

/** The server resends a code at most once in this time. */
export const resendAfterMs = 30_000

/** Whole seconds to wait until `fromMs`, rounded up so that 0 means now. */
export const secondsUntil = (fromMs: number, nowMs: number): number => Math.max(0, Math.ceil((fromMs - nowMs) / 1000))

/** Milliseconds until the number of seconds changes; undefined once it is 0. */
export const nextTickMs = (fromMs: number, nowMs: number): number | undefined => {
  const leftMs = fromMs - nowMs
  if (leftMs <= 0) return undefined
  return leftMs % 1000 || 1000
}

/** Whole seconds until `fromMs`, updated every second. */
export const useCountdown = (fromMs: number): number => {
  const subscribe = useCallback(
    (onChange: () => void) => {
      let timer: ReturnType<typeof setTimeout> | undefined
      const scheduleTick = () => {
        const waitMs = nextTickMs(fromMs, Date.now())
        if (waitMs === undefined) return
        timer = setTimeout(() => {
          onChange()
          scheduleTick()
        }, waitMs)
      }
      scheduleTick()
      return () => clearTimeout(timer)
    },
    [fromMs],
  )
  return useSyncExternalStore(subscribe, () => secondsUntil(fromMs, Date.now()))
}
