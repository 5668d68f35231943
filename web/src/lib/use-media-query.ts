import { useCallback, useSyncExternalStore } from 'react'

/** Whether the query holds, now and whenever that changes. */
export const useMediaQuery = (query: string): boolean => {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const list = window.matchMedia(query)
      list.addEventListener('change', onChange)
      return () => list.removeEventListener('change', onChange)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches)
}

export const useLessMotion = (): boolean => useMediaQuery('(prefers-reduced-motion: reduce)')
