import './lib/zod-jitless.ts'
import { startTransition, StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { replaceOutline } from './app/page-outline.tsx'
import { preloadPagesAt } from './app/router.tsx'
import './app/theme/fonts.css'
import { loadInBackground } from './lib/load-module.ts'
import { currentSession } from './lib/session.ts'
import { readStored, storageKeys } from './lib/storage.ts'
import { whenIdle } from './lib/when-idle.ts'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root')

/** ms. The page fetches its data, its fonts and what is below its first screen before the worker fetches anything. */
const headStartMs = 3_000

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
  const afterHeadStart = () => void setTimeout(() => void whenIdle().then(register), headStartMs)
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

setTimeout(() => (globalThis.early = undefined), earlyAnswersMs)
registerWorker()
void finishLogOut()

const app = (
  <StrictMode>
    <App />
  </StrictMode>
)
const isVisitor = currentSession() === null
// The root leads visitors to the login page, which the gateway serves there.
if (isVisitor && window.location.pathname === '/') window.history.replaceState(null, '', '/login')

const render = (): void => {
  if (isVisitor && root.dataset['path'] === window.location.pathname)
    hydrateRoot(root, app, {
      // A browser that translates pages, or an extension, may already have changed it.
      onRecoverableError: (error) => console.info('page differs from the built one, rendering it again', error),
    })
  else {
    root.replaceChildren()
    replaceOutline()
    // A transition is rendered in slices, between which the browser answers taps.
    startTransition(() => createRoot(root).render(app))
  }
  delete document.documentElement.dataset['signedIn']
}

// Otherwise React would render a fallback until the page is loaded, and show no page for 300 ms after it.
void preloadPagesAt(window.location.pathname).then(render)

// From here on, the application itself reports what fails (src/start/start-after-paint.ts).
globalThis.applicationFiles = undefined
