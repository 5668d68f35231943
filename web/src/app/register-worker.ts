/** ms. After its files, a page fetches its calls, its fonts and what is below its first screen. */
const headStartMs = 3_000

const whenIdle = (target: Window, then: () => void): void => {
  if ('requestIdleCallback' in target) target.requestIdleCallback(then)
  else then()
}

/**
 * Makes the portal open without a network (src/worker/offline.ts). When the page is done and at rest, as it fetches whatever the page
 * did not; and not while developing, where it would keep what has just been changed.
 */
export const registerWorker = (target: Window = window): void => {
  if (!import.meta.env.PROD || !('serviceWorker' in target.navigator)) return
  const { serviceWorker } = target.navigator
  const register = () => {
    serviceWorker.register('/sw.js').catch((error: unknown) => console.warn('The portal needs a network', error))
  }
  const afterHeadStart = () => void target.setTimeout(() => whenIdle(target, register), headStartMs)
  if (target.document.readyState === 'complete') afterHeadStart()
  else target.addEventListener('load', afterHeadStart, { once: true })
}
