/**
 * Makes the portal open without a network (src/worker/offline.ts). After the page has loaded, as it fetches whatever the page did
 * not; and not while developing, where it would keep what has just been changed.
 */
export const registerWorker = (target: Window = window): void => {
  if (!import.meta.env.PROD || !('serviceWorker' in target.navigator)) return
  const { serviceWorker } = target.navigator
  const register = () =>
    serviceWorker.register('/sw.js').catch((error: unknown) => console.warn('The portal needs a network', error))
  if (target.document.readyState === 'complete') void register()
  else target.addEventListener('load', () => void register(), { once: true })
}
