import { atom } from 'jotai'
import { useEffect, useSyncExternalStore } from 'react'

const subscribe = (listener: () => void) => {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/** The build renders pages without a browser (build/render-page.tsx). */
const onlineInBuild = () => true

/** Whether the device has a network. This does not mean that the server is reachable. */
export const useOnline = (): boolean => useSyncExternalStore(subscribe, () => navigator.onLine, onlineInBuild)

/** Retries a request that failed on the network as soon as the device is online. */
export const useRetryOnline = (isCutOff: boolean, retry: () => void): void =>
  useEffect(() => {
    if (!isCutOff) return undefined
    window.addEventListener('online', retry)
    return () => window.removeEventListener('online', retry)
  }, [isCutOff, retry])

/** Whether a learner's pages look live and are not: set by the inbox while its connection is down. */
export const areUpdatesPausedAtom = atom(false)
