import type { ForegroundMessage } from '../worker-messages.ts'

/** Defaults of a notification, for the worker and the page. */
export const defaultIcon = '/icons/icon-192.png'
export const defaultUrl = '/notification'

/** The language and direction of a notification, as far as the server says its language. */
export const languageOptions = (lang: string | undefined): Pick<NotificationOptions, 'lang' | 'dir'> =>
  lang ? { lang, ...(lang === 'ur' && { dir: 'rtl' }) } : {}

/** A page that does not answer the worker within this time has no signed-in user, or is frozen. */
export const answerTimeoutMs = 500

/** The content of a push. A page always shows the portal's icon and no image. */
export type PushMessage = ForegroundMessage & { readonly icon: string; readonly image: string }

// Parsed without zod, because a sleeping phone loads this code for each push.
const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')
export const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

/** Returns only addresses of the portal. Any other URL becomes the default. */
const localUrl = (url: string, origin: string): string => {
  try {
    const address = new URL(url || defaultUrl, origin)
    return address.origin === origin ? address.pathname + address.search + address.hash : defaultUrl
  } catch {
    return defaultUrl
  }
}

/** The portal sends data-only messages; test messages from the provider's console contain a notification. */
const messageOf = (payload: unknown, origin: string): PushMessage => {
  const sent = fieldsOf(payload)
  const data = fieldsOf(sent['data'])
  const notification = fieldsOf(sent['notification'])
  const lang = text(data['lang'])
  return {
    notificationId: text(data['notificationId']),
    title: text(data['title']) || text(notification['title']),
    body: text(data['body']) || text(notification['body']),
    icon: text(data['icon']) || text(notification['icon']) || defaultIcon,
    image: text(data['image']) || text(notification['image']),
    ...(lang && { lang }),
    url: localUrl(text(data['url']) || text(fieldsOf(sent['fcmOptions'])['link']), origin),
  }
}

export const receivedMessage = (data: { json(): unknown } | null, origin: string): PushMessage => {
  try {
    return messageOf(data?.json(), origin)
  } catch {
    // Not a message of the portal. Browsers require that every push shows a notification.
    return messageOf({}, origin)
  }
}

/** The page that a click on a notification opens. */
export const clickedUrl = (data: unknown, origin: string): string => localUrl(text(fieldsOf(data)['url']), origin)
