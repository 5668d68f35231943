import { unattendedHeader } from '@portal/contracts/shared/unattended'
import { addOpenedParameter } from '../opened-parameter.ts'
import type { acknowledgement, WorkerMessage } from '../worker-messages.ts'
import { inboxNews, inboxPath } from './inbox.ts'
import { answerTimeoutMs, clickedUrl, languageOptions, type PushMessage, receivedMessage } from './message.ts'

/**
 * The parts of the service worker API that the push worker uses: the TypeScript config of the project has the types of a page
 * only.
 */

type WorkerEvent = { readonly waitUntil: (work: Promise<unknown>) => void }

export type PushEvents = {
  readonly install: WorkerEvent
  readonly push: WorkerEvent & { readonly data: { json(): unknown } | null }
  readonly notificationclick: WorkerEvent & { readonly notification: { readonly data: unknown; close(): void } }
  readonly pushsubscriptionchange: WorkerEvent
}

/** An open page of the portal. */
export type OpenPage = {
  readonly focused: boolean
  readonly visibilityState: DocumentVisibilityState
  postMessage(message: unknown, transfer: [MessagePort]): void
  focus(): Promise<unknown>
}

/** TypeScript's type lacks the image. */
export type ShownOptions = NotificationOptions & { readonly image?: string }

type ShownNotification = { readonly tag: string; close(): void }

export type PushScope = {
  readonly location: { readonly origin: string }
  /** Not all browsers have badges. */
  readonly navigator: { setAppBadge?(count: number): Promise<void> }
  fetch(path: string, options: Pick<RequestInit, 'headers' | 'signal'>): Promise<Pick<Response, 'ok' | 'json'>>
  addEventListener<Type extends keyof PushEvents>(type: Type, listener: (event: PushEvents[Type]) => void): void
  skipWaiting(): Promise<void>
  readonly clients: {
    matchAll(options: { readonly type: 'window'; readonly includeUncontrolled: true }): Promise<readonly OpenPage[]>
    openWindow(url: string): Promise<unknown>
  }
  readonly registration: {
    getNotifications(filter?: { readonly tag: string }): Promise<readonly ShownNotification[]>
    showNotification(title: string, options: ShownOptions): Promise<void>
    readonly pushManager: { getSubscription(): Promise<{ unsubscribe(): Promise<boolean> } | null> }
  }
}

/** Limits the total wait: browsers allow a click to open a window for a few seconds only. */
const maxPagesAsked = 4

const rank = (page: OpenPage): number => {
  if (page.focused) return 0
  return page.visibilityState === 'visible' ? 1 : 2
}

/** Open pages, focused and visible ones first. */
const openPages = async ({ clients }: PushScope): Promise<readonly OpenPage[]> => {
  const open = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  return [0, 1, 2].flatMap((wanted) => open.filter((page) => rank(page) === wanted)).slice(0, maxPagesAsked)
}

const isAcknowledgement = (answer: unknown): answer is typeof acknowledgement =>
  typeof answer === 'object' && answer !== null && 'taken' in answer && answer.taken === true

/** Resolves to whether the page acknowledged the message. */
const sendToPage = (page: OpenPage, message: WorkerMessage): Promise<boolean> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    const settle = (isAcknowledged: boolean) => {
      clearTimeout(timer)
      port1.close()
      resolve(isAcknowledged)
    }
    const timer = setTimeout(() => settle(false), answerTimeoutMs)
    port1.addEventListener('message', ({ data }: MessageEvent<unknown>) => settle(isAcknowledgement(data)))
    port1.start()
    page.postMessage({ ...message, postedAtMs: Date.now() }, [port2])
  })

const defaultTitle = 'Notification'

const show = ({ registration }: PushScope, { notificationId, title, body, icon, image, url, lang }: PushMessage) =>
  registration.showNotification(title || defaultTitle, {
    body,
    icon,
    data: { url },
    ...(image && { image }),
    ...languageOptions(lang),
    ...(notificationId && { tag: notificationId }),
  })

const isShown = async ({ registration }: PushScope, tag: string): Promise<boolean> =>
  tag !== '' && (await registration.getNotifications({ tag })).length > 0

const inboxTimeoutMs = 5_000

/**
 * Closes the shown pushes of what its user has read elsewhere, and shows the server's count on the icon of the app. The
 * session's cookie authenticates the request. Asks only if there is something to close or a badge.
 */
const catchUp = async (scope: PushScope, received: PushMessage): Promise<void> => {
  const { registration, navigator } = scope
  // Browsers take push away from a website whose push leaves nothing on the screen.
  const earlier = (await registration.getNotifications()).filter(({ tag }) => tag !== received.notificationId)
  if (earlier.length === 0 && !navigator.setAppBadge) return
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), inboxTimeoutMs)
  try {
    const answer = await scope.fetch(inboxPath, {
      headers: { Accept: 'application/json', [unattendedHeader]: '1' },
      signal: timeout.signal,
    })
    if (!answer.ok) return
    const { unread, isOver } = inboxNews(await answer.json())
    for (const one of earlier) if (isOver(one.tag)) one.close()
    if (unread !== undefined) await navigator.setAppBadge?.(unread)
  } catch {
    // Without an answer, or the permission for a badge, all stays as it is.
  } finally {
    clearTimeout(timer)
  }
}

const receive = async (scope: PushScope, message: PushMessage): Promise<void> => {
  // The server may push the same notification twice.
  if (await isShown(scope, message.notificationId)) return
  for (const page of await openPages(scope)) {
    if (page.visibilityState === 'visible' && (await sendToPage(page, { kind: 'push-received', message }))) return
  }
  await show(scope, message)
  await catchUp(scope, message)
}

const open = async (scope: PushScope, url: string): Promise<void> => {
  for (const page of await openPages(scope)) {
    if (!(await sendToPage(page, { kind: 'push-opened', url }))) continue
    await page.focus()
    return
  }
  await scope.clients.openWindow(addOpenedParameter(new URL(url, scope.location.origin)).href)
}

/** An open page gets a new token now. A page opened later notices that the subscription is missing. */
const dropSubscription = async (scope: PushScope): Promise<void> => {
  const subscription = await scope.registration.pushManager.getSubscription()
  if (subscription) await subscription.unsubscribe()
  for (const page of await openPages(scope)) if (await sendToPage(page, { kind: 'push-subscription-changed' })) return
}

/**
 * Passes a push to a visible page of the portal, and shows it if there is none. The provider's library is not needed here,
 * because only this code shows notifications.
 */
export const handlePushEvents = (scope: PushScope): void => {
  const { origin } = scope.location
  scope.addEventListener('install', (event) => event.waitUntil(scope.skipWaiting()))
  scope.addEventListener('push', (event) => event.waitUntil(receive(scope, receivedMessage(event.data, origin))))
  scope.addEventListener('notificationclick', (event) => {
    event.notification.close()
    event.waitUntil(open(scope, clickedUrl(event.notification.data, origin)))
  })
  scope.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(dropSubscription(scope)))
}
