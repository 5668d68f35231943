import './lib/zod-jitless.ts'
import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import './app/theme/fonts.css'
import { loadInBackground } from './lib/load-module.ts'
import { readStored, storageKeys } from './lib/storage.ts'
import { removeShellWhenCovered } from './shell/remove-shell.ts'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root')

/** ms. The page fetches its data, its fonts and what is below its first screen before the worker fetches anything. */
const headStartMs = 3_000

const whenIdle = (then: () => void): void => {
  if ('requestIdleCallback' in window) window.requestIdleCallback(then)
  else then()
}

/**
 * Registers the service worker (src/worker/sw.ts) once the page is loaded and idle, because the worker fetches every file that the page
 * did not. Not in development, where it would cache outdated files.
 */
const registerWorker = (): void => {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  const register = () => {
    navigator.serviceWorker
      .register('/sw.js')
      .catch((error: unknown) => console.warn('service worker not registered, the portal needs a network', error))
  }
  const afterHeadStart = () => void setTimeout(() => whenIdle(register), headStartMs)
  if (document.readyState === 'complete') afterHeadStart()
  else window.addEventListener('load', afterHeadStart, { once: true })
}

/** A log-out that did not reach the server is repeated at the next visit. */
const finishLogOut = async () => {
  if (readStored(storageKeys.logOutDue) === null) return
  const { repeatLogOut } = await loadInBackground(() => import('./lib/log-out.ts'))
  await repeatLogOut()
}

/** ms. An answer to a request of index.html that no part of the page has read by then is outdated. */
const earlyAnswersMs = 60_000

removeShellWhenCovered(root)
setTimeout(() => (globalThis.early = undefined), earlyAnswersMs)
registerWorker()
void finishLogOut()

// A transition is rendered in slices, between which the browser answers taps on the shell.
startTransition(() =>
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
)

// From here on, the application itself reports what fails (src/shell/start-after-paint.ts).
globalThis.applicationFiles = undefined
