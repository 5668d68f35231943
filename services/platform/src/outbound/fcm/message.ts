import type { PushMessage } from '../port.ts'

/**
 * A push is at most 4,096 bytes when it reaches the browser's push service. What the provider wraps around the data, and the
 * encryption, take some 300 of them.
 */
export const maxDataBytes = 3_600
/** Its inbox has the notification for good; a device that was off for longer need not be told any more. */
const ttlSeconds = 3 * 86_400
const icon = '/icons/icon-192.png'

const bytesOf = (text: string): number => Buffer.byteLength(JSON.stringify(text)) - 2

const characters = new Intl.Segmenter()

/** As much of the text as fits, in whole characters as people see them. */
export const shortened = (text: string, maxBytes: number): string => {
  if (bytesOf(text) <= maxBytes) return text
  const room = maxBytes - bytesOf('…')
  let bytes = 0
  for (const { segment, index } of characters.segment(text)) {
    bytes += bytesOf(segment)
    if (bytes > room) return room < 0 ? '' : `${text.slice(0, index)}…`
  }
  return text
}

/** All strings, as the provider wants it. Body first, then title give way when it gets too large. */
export const dataOf = ({ notificationId, title, body, url, type }: PushMessage) => {
  const fixed = { title: '', body: '', icon, url, notificationId, type }
  const room = maxDataBytes - Buffer.byteLength(JSON.stringify(fixed))
  const shownTitle = shortened(title, room)
  return { ...fixed, title: shownTitle, body: shortened(body, room - bytesOf(shownTitle)) }
}

/**
 * Data only: were there a `notification`, the provider's code in the browser would show it as well. A push that has not been
 * fetched is replaced by another of the same topic, which takes 32 characters at most: an id without its hyphens.
 */
export const fcmMessageOf = (message: PushMessage) => ({
  data: dataOf(message),
  webpush: {
    headers: {
      TTL: String(ttlSeconds),
      Urgency: 'high',
      Topic: message.notificationId.replaceAll(/[^A-Za-z0-9_-]|-/g, '').slice(0, 32),
    },
  },
})
