import { useCallback, useSyncExternalStore } from 'react'

/** Whether a media query matches, which may be one of the theme's breakpoints. Rerenders on a change. */
export const useMedia = (media: string): boolean => {
  const query = media.replace(/^@media /, '')
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
