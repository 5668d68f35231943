import { useCallback, useSyncExternalStore } from 'react'
import { nextTickMs, secondsUntil } from './resend.ts'

/** Whole seconds until `fromMs`; counts down by itself. */
export const useCountdown = (fromMs: number): number => {
  const subscribe = useCallback(
    (onChange: () => void) => {
      let timer: ReturnType<typeof setTimeout> | undefined
      const wake = () => {
        const waitMs = nextTickMs(fromMs, Date.now())
        if (waitMs === undefined) return
        timer = setTimeout(() => {
          onChange()
          wake()
        }, waitMs)
      }
      wake()
      return () => clearTimeout(timer)
    },
    [fromMs],
  )
  return useSyncExternalStore(subscribe, () => secondsUntil(fromMs, Date.now()))
}
