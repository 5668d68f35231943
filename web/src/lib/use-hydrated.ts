import { useSyncExternalStore } from 'react'

const neverChanges = () => () => undefined

/** False for what the build renders (build/render-page.tsx), until the application has taken over. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  )
