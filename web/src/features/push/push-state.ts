import { useCallback, useSyncExternalStore } from 'react'
import { isIos } from '../../lib/is-ios.ts'
import { isPushSupported, pushPermission } from './support.ts'

/** What the browser allows on this device. */
export type BrowserState = NotificationPermission | 'unsupported' | 'needs-home-screen'

const currentState = (isInstalled: boolean): BrowserState => {
  if (isPushSupported()) return pushPermission()
  // Browsers of iOS have push in installed apps only.
  return isIos() && !isInstalled ? 'needs-home-screen' : 'unsupported'
}

/** Follows the permission, which users change in the browser's own settings. Safari reports no change until they return. */
const subscribe = (onChange: () => void): (() => void) => {
  const listening = new AbortController()
  const { signal } = listening
  document.addEventListener('visibilitychange', onChange, { signal })
  const { permissions }: { readonly permissions?: Permissions } = navigator
  permissions
    ?.query({ name: 'notifications' })
    .then((status) => status.addEventListener('change', onChange, { signal }))
    .catch(() => undefined) // The browser does not report this permission.
  return () => listening.abort()
}

export const useBrowserState = (isInstalled: boolean): BrowserState =>
  useSyncExternalStore(
    subscribe,
    useCallback(() => currentState(isInstalled), [isInstalled]),
  )

/** How to undo a block, in the words of the browser. */
export const unblockHint = (userAgent: string): string => {
  if (isIos()) return 'Open the settings of your device, choose this app, and allow notifications.'
  if (/android/i.test(userAgent))
    return 'Tap the icon left of the address, open the permissions, and allow notifications.'
  if (/firefox\//i.test(userAgent))
    return 'Click the crossed-out icon left of the address, and clear the block of notifications. Then reload this page.'
  if (/version\/[\d.]+.* safari\//i.test(userAgent))
    return 'Open Settings of Safari, then Websites, then Notifications, and allow this website.'
  return 'Click the icon left of the address, and allow notifications. Then reload this page.'
}
