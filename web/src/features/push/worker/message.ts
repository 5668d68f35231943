import type { ForegroundMessage } from '../worker-messages.ts'

/** What a notification has where its message says nothing: the worker and the page show the same. */
export const defaultIcon = '/icons/icon-192.png'
export const defaultUrl = '/notification'

/** What a push says. The page needs less of it, as what it shows always has the portal's icon. */
export type PushMessage = ForegroundMessage & { readonly icon: string; readonly image: string }

// By hand, where the rest of the client has zod: this is loaded for each push, by phones that are asleep.
const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')
const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

/** Only pages of the portal are opened, whatever a message says. */
const localUrl = (url: string, origin: string): string => {
  try {
    const address = new URL(url || defaultUrl, origin)
    return address.origin === origin ? address.pathname + address.search + address.hash : defaultUrl
  } catch {
    return defaultUrl
  }
}

/** The portal sends data alone; test messages from the provider's console bring a notification instead. */
const messageOf = (payload: unknown, origin: string): PushMessage => {
  const sent = fieldsOf(payload)
  const data = fieldsOf(sent['data'])
  const notification = fieldsOf(sent['notification'])
  return {
    notificationId: text(data['notificationId']),
    title: text(data['title']) || text(notification['title']),
    body: text(data['body']) || text(notification['body']),
    icon: text(data['icon']) || text(notification['icon']) || defaultIcon,
    image: text(data['image']) || text(notification['image']),
    url: localUrl(text(data['url']) || text(fieldsOf(sent['fcmOptions'])['link']), origin),
  }
}

export const receivedMessage = (data: { json(): unknown } | null, origin: string): PushMessage => {
  try {
    return messageOf(data?.json(), origin)
  } catch {
    // Whatever it was, it did not come from the portal. A browser wants something shown all the same.
    return messageOf({}, origin)
  }
}

/** Where a click on a notification leads. */
export const clickedUrl = (data: unknown, origin: string): string => localUrl(text(fieldsOf(data)['url']), origin)
