/** ms. The page fetches its data, its fonts and what is below its first screen before the worker fetches anything. */
const headStartMs = 3_000

const whenIdle = (target: Window, then: () => void): void => {
  if ('requestIdleCallback' in target) target.requestIdleCallback(then)
  else then()
}

/**
 * Registers the service worker (src/worker/sw.ts) once the page is loaded and idle, because the worker fetches every file that the page
 * did not. Not in development, where it would cache outdated files.
 */
export const registerWorker = (target: Window = window): void => {
  if (!import.meta.env.PROD || !('serviceWorker' in target.navigator)) return
  const { serviceWorker } = target.navigator
  const register = () => {
    serviceWorker
      .register('/sw.js')
      .catch((error: unknown) => console.warn('service worker not registered, the portal needs a network', error))
  }
  const afterHeadStart = () => void target.setTimeout(() => whenIdle(target, register), headStartMs)
  if (target.document.readyState === 'complete') afterHeadStart()
  else target.addEventListener('load', afterHeadStart, { once: true })
}
