import { registeredPushWorker } from './push-worker.ts'
import { type ForegroundMessage, acknowledgement, type WorkerMessage, workerMessageSchema } from './worker-messages.ts'
import { answerTimeoutMs, defaultIcon, defaultUrl, languageOptions } from './worker/message.ts'

/** Analytics events in `window.dataLayer`. The portal itself sends them nowhere. */
type AnalyticsEvent =
  | { readonly event: 'notification_open'; readonly url: string }
  | { readonly event: 'notification_foreground'; readonly notificationId: string }

declare global {
  interface Window {
    dataLayer?: unknown[]
  }
}

/** Limits the array in case nothing reads it. */
const maxEvents = 200

export const track = (event: AnalyticsEvent): void => {
  window.dataLayer ??= []
  window.dataLayer.push(event)
  if (window.dataLayer.length > maxEvents) window.dataLayer.shift()
}

/** Shows the notification through the worker: on phones a page cannot show one itself, and the worker handles all clicks. */
const show = async ({ notificationId, title, body, url, lang }: ForegroundMessage): Promise<void> => {
  if (title === '' || body === '') return
  const worker = await registeredPushWorker()
  await worker?.showNotification(title, {
    body,
    icon: defaultIcon,
    tag: notificationId,
    data: { url: url || defaultUrl },
    ...languageOptions(lang),
  })
}

type Listener = {
  readonly openPage: (path: string) => void
  readonly renew: () => void
}

/** Less than the worker waits, because the answer needs time, too. */
const lateAfterMs = answerTimeoutMs - 100

/** Whether the worker has shown the push, or opened its page, itself meanwhile. */
const isLate = (message: WorkerMessage): boolean =>
  'postedAtMs' in message && message.postedAtMs !== undefined && Date.now() - message.postedAtMs > lateAfterMs

/** Handles the messages of the push worker. Returns a function that stops it. */
export const listenToPushWorker = ({ openPage, renew }: Listener): (() => void) => {
  const onMessage = (event: MessageEvent<unknown>) => {
    const message = workerMessageSchema.safeParse(event.data).data
    if (!message || isLate(message)) return
    event.ports[0]?.postMessage(acknowledgement)
    switch (message.kind) {
      case 'push-received':
        track({ event: 'notification_foreground', notificationId: message.message.notificationId })
        show(message.message).catch((error: unknown) => console.warn('A push notification could not be shown', error))
        break
      case 'push-opened':
        track({ event: 'notification_open', url: message.url })
        openPage(message.url)
        break
      case 'push-subscription-changed':
        renew()
    }
  }
  navigator.serviceWorker.addEventListener('message', onMessage)
  return () => navigator.serviceWorker.removeEventListener('message', onMessage)
}
