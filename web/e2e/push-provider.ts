import type { BrowserContext, Page, Worker } from 'playwright-core'

/** The client configuration in the portal's setting FCM_WEB_CONFIG. */
export const pushClient = {
  apiKey: 'AIzaSyD-test',
  projectId: 'portal',
  messagingSenderId: '123456789',
  appId: '1:123456789:web:0123456789abcdef',
  vapidKey: 'BDOU99-h67HcA6JeFXHbSNMu7e2yNNu3RzoMj8TM4W88jITfq7ZmPvIM1Iv-4_l2LxQcYwhqby2xGpWwzjfAnG4',
}
const workerScope = '/firebase-cloud-messaging-push-scope'

/** Chromium has no push service. Only this call is faked; the worker and its notifications are real. */
const fakePushService = `
  PushManager.prototype.subscribe = async () => ({
    endpoint: 'https://push.example/subscription',
    getKey: () => new Uint8Array([1, 2, 3]).buffer,
    unsubscribe: async () => true,
  })`

/** Grants the permission for notifications and mocks the provider's two hosts. Returns the recorded requests to them. */
export const allowPush = async (context: BrowserContext, pushToken: string): Promise<readonly string[]> => {
  const requests: string[] = []
  const mockHost = (host: string, body: object) =>
    context.route(`https://${host}/**`, (route) => {
      requests.push(`${route.request().method()} ${host}`)
      return route.fulfill({
        headers: { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' },
        contentType: 'application/json',
        body: JSON.stringify(body),
      })
    })
  await mockHost('firebaseinstallations.googleapis.com', {
    fid: 'cAAAAAAAAAAAAAAAAAAAAA',
    refreshToken: 'refresh',
    authToken: { token: 'auth', expiresIn: '604800s' },
  })
  await mockHost('fcmregistrations.googleapis.com', { token: pushToken })
  await context.addInitScript({ content: fakePushService })
  await context.grantPermissions(['notifications'])
  return requests
}

const fcmEnvelope = { from: pushClient.messagingSenderId, fcmMessageId: 'an-id' }

/** Returns a function that delivers a push to the page's worker, as the push service would. */
export const createPushSender = async (page: Page, envelope: object = fcmEnvelope) => {
  const session = await page.context().newCDPSession(page)
  const { promise: registrationId, resolve } = Promise.withResolvers<string>()
  session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    const ours = registrations.find(({ scopeURL }) => new URL(scopeURL).pathname === workerScope)
    if (ours) resolve(ours.registrationId)
  })
  await session.send('ServiceWorker.enable')
  const id = await registrationId
  const { origin } = new URL(page.url())
  return (data: Readonly<Record<string, string>>) =>
    session.send('ServiceWorker.deliverPushMessage', {
      origin,
      registrationId: id,
      data: JSON.stringify({ data, ...envelope }),
    })
}

type Shown = {
  readonly title: string
  readonly body: string
  readonly tag: string
  readonly icon: string
  readonly url: string
}

/** The analytics events of the page. */
export const analyticsEvents = (page: Page): Promise<unknown> => page.evaluate('window.dataLayer')

const workerOf = (page: Page): Worker => {
  const worker = page
    .context()
    .serviceWorkers()
    .find((one) => one.url().endsWith('/firebase-messaging-sw.js'))
  if (!worker) throw new Error('The context has no push worker')
  return worker
}

/** The notifications on the device, also while no page of the portal is open. */
export const shownNotifications = (page: Page): Promise<readonly Shown[]> =>
  workerOf(page).evaluate(`(async () => {
    const notifications = await registration.getNotifications()
    return notifications.map(({ title, body, tag, icon, data }) => {
      return { title, body, tag, icon: new URL(icon).pathname, url: data.url }
    })
  })()`)

/**
 * Extends the worker's timeouts to 10 s, because pages respond slowly on a busy machine. It dates its messages ahead for that, so that
 * the page does not take them for late ones. The real times have their own tests.
 */
export const extendWorkerTimeouts = (page: Page): Promise<void> =>
  workerOf(page).evaluate(`{
    const start = setTimeout
    self.setTimeout = (act, ms) => start(act, 20 * ms)
    const { now } = Date
    Date.now = () => now() + 9_000
  }`)

/** Sends the worker the event of a tap on a notification. Without a real tap, it cannot open a window. */
export const tapNotification = async (page: Page, tag: string): Promise<void> => {
  await workerOf(page).evaluate(`(async () => {
    const [notification] = await registration.getNotifications({ tag: '${tag}' })
    dispatchEvent(Object.assign(new Event('notificationclick'), { notification, waitUntil: () => undefined }))
  })()`)
}
