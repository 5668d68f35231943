import { useEffect, useSyncExternalStore } from 'react'

const subscribe = (listener: () => void) => {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/** Whether this device has a network at all. Whether the server answers, only a call can tell. */
export const useOnline = (): boolean => useSyncExternalStore(subscribe, () => navigator.onLine)

/** What failed for want of a network is tried again as soon as there is one. */
export const useRetryOnline = (isCutOff: boolean, retry: () => void): void =>
  useEffect(() => {
    if (!isCutOff) return undefined
    window.addEventListener('online', retry)
    return () => window.removeEventListener('online', retry)
  }, [isCutOff, retry])
