import { useSyncExternalStore } from 'react'

/** The event of Chromium, which TypeScript does not know. */
type InstallOffer = Event & { readonly prompt: () => Promise<unknown> }

const isOffer = (event: Event): event is InstallOffer => 'prompt' in event && typeof event.prompt === 'function'

let offer: InstallOffer | null = null
const listeners = new Set<() => void>()

const setOffer = (next: InstallOffer | null) => {
  offer = next
  for (const listener of listeners) listener()
}

// At the first import: the browser makes its offer once, on whichever page is open then.
if (typeof window !== 'undefined') {
  window.addEventListener('beforeinstallprompt', (event) => {
    if (!isOffer(event)) return
    // The profile has a row for it, instead of a bar across the page.
    event.preventDefault()
    setOffer(event)
  })
  window.addEventListener('appinstalled', () => setOffer(null))
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Opens the browser's dialog that installs the app; null where the browser does not offer one. An offer can be used once. */
export const useInstallOffer = (): (() => void) | null => {
  const current = useSyncExternalStore(subscribe, () => offer)
  if (current === null) return null
  return () => {
    setOffer(null)
    current
      .prompt()
      .catch((error: unknown) => console.warn('install prompt failed, the row returns with the next offer', error))
  }
}
