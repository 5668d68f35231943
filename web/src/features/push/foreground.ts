import { registeredPushWorker } from './push-worker.ts'
import { type ForegroundMessage, acknowledgement, workerMessageSchema } from './worker-messages.ts'
import { defaultIcon, defaultUrl } from './worker/message.ts'

/** What is worth counting. Whoever counts reads `window.dataLayer`; the portal itself sends it nowhere. */
type AnalyticsEvent =
  | { readonly event: 'notification_open'; readonly url: string }
  | { readonly event: 'notification_foreground'; readonly notificationId: string }

declare global {
  interface Window {
    dataLayer?: unknown[]
  }
}

/** Nobody may be reading. */
const maxEvents = 200

export const track = (event: AnalyticsEvent): void => {
  window.dataLayer ??= []
  window.dataLayer.push(event)
  if (window.dataLayer.length > maxEvents) window.dataLayer.shift()
}

/** The worker shows it for the page: on phones a page may not do so itself, and clicks end in one place. */
const show = async ({ notificationId, title, body, url }: ForegroundMessage): Promise<void> => {
  if (title === '' || body === '') return
  const worker = await registeredPushWorker()
  await worker?.showNotification(title, {
    body,
    icon: defaultIcon,
    tag: notificationId,
    data: { url: url || defaultUrl },
  })
}

type Listener = {
  readonly openPage: (path: string) => void
  readonly renew: () => void
}

/** Acts on what the push worker says, until the function that it returns is called. */
export const listenToPushWorker = ({ openPage, renew }: Listener): (() => void) => {
  const onMessage = (event: MessageEvent<unknown>) => {
    const message = workerMessageSchema.safeParse(event.data).data
    if (!message) return
    event.ports[0]?.postMessage(acknowledgement)
    switch (message.kind) {
      case 'push-received':
        track({ event: 'notification_foreground', notificationId: message.message.notificationId })
        show(message.message).catch((error: unknown) => console.warn('A notification could not be shown', error))
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
