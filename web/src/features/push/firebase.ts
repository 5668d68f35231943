import { getApps, initializeApp } from '@firebase/app'
import { deleteToken, getMessaging, getToken, type Messaging } from '@firebase/messaging'
import type { PushClientConfig } from '@portal/contracts/notifications/push-http'

const messagingOf = ({ vapidKey: _vapidKey, ...options }: PushClientConfig): Messaging =>
  getMessaging(getApps()[0] ?? initializeApp(options))

export const requestToken = (config: PushClientConfig, worker: ServiceWorkerRegistration): Promise<string> =>
  getToken(messagingOf(config), { vapidKey: config.vapidKey, serviceWorkerRegistration: worker })

export const revokeToken = (config: PushClientConfig): Promise<boolean> => deleteToken(messagingOf(config))
