import { withOpenedMark } from '../opened-mark.ts'
import { clickedUrl, type PushMessage, receivedMessage } from './message.ts'
import { openPages, tell } from './open-pages.ts'
import type { PushScope } from './scope.ts'

const defaultTitle = 'Notification'

const show = ({ registration }: PushScope, { notificationId, title, body, icon, image, url }: PushMessage) =>
  registration.showNotification(title || defaultTitle, {
    body,
    icon,
    data: { url },
    ...(image && { image }),
    ...(notificationId && { tag: notificationId }),
  })

const isShown = async ({ registration }: PushScope, tag: string): Promise<boolean> =>
  tag !== '' && (await registration.getNotifications({ tag })).length > 0

const receive = async (scope: PushScope, message: PushMessage): Promise<void> => {
  // The server pushes again when it cannot be sure that it has.
  if (await isShown(scope, message.notificationId)) return
  for (const page of await openPages(scope)) {
    if (page.visibilityState === 'visible' && (await tell(page, { kind: 'push-received', message }))) return
  }
  await show(scope, message)
}

const open = async (scope: PushScope, url: string): Promise<void> => {
  for (const page of await openPages(scope)) {
    if (!(await tell(page, { kind: 'push-opened', url }))) continue
    await page.focus()
    return
  }
  await scope.clients.openWindow(withOpenedMark(new URL(url, scope.location.origin)).href)
}

/** A page gets a new token, now or when one is opened next, which it knows by the missing subscription. */
const dropSubscription = async (scope: PushScope): Promise<void> => {
  const subscription = await scope.registration.pushManager.getSubscription()
  if (subscription) await subscription.unsubscribe()
  for (const page of await openPages(scope)) if (await tell(page, { kind: 'push-subscription-changed' })) return
}

/**
 * Receives pushes while no page of the portal is looked at, and when one is, hands them to it. It alone shows notifications, so the
 * push provider's own code is not loaded here.
 */
export const servePushes = (scope: PushScope): void => {
  const { origin } = scope.location
  scope.addEventListener('install', (event) => event.waitUntil(scope.skipWaiting()))
  scope.addEventListener('push', (event) => event.waitUntil(receive(scope, receivedMessage(event.data, origin))))
  scope.addEventListener('notificationclick', (event) => {
    event.notification.close()
    event.waitUntil(open(scope, clickedUrl(event.notification.data, origin)))
  })
  scope.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(dropSubscription(scope)))
}
