const requiredApis = ['Notification', 'serviceWorker', 'PushManager', 'fetch', 'indexedDB'] as const

/** Push needs all of these. Old browsers, private windows and iPhones without the installed app lack some. */
export const isPushSupported = (): boolean =>
  requiredApis.every((name) => Reflect.get(window, name) ?? Reflect.get(navigator, name))

export const pushPermission = (): NotificationPermission =>
  'Notification' in window ? Notification.permission : 'denied'

export const requestPushPermission = async (): Promise<NotificationPermission> =>
  'Notification' in window ? Notification.requestPermission() : 'denied'
