const requiredApis = ['Notification', 'serviceWorker', 'PushManager', 'fetch', 'indexedDB'] as const

/** Without any one of these there is no push: old browsers, private windows, phones before the portal is on the home screen. */
export const isPushSupported = (): boolean =>
  requiredApis.every((name) => Reflect.get(window, name) ?? Reflect.get(navigator, name))
