import type { PushMessage } from '../port.ts'

/**
 * The browser's push service accepts 4,096 bytes. The provider's envelope and the encryption take about 300 of them.
 */
export const maxDataBytes = 3_600
/** A device that was offline for longer gets no push. The notification stays in the inbox. */
const ttlSeconds = 3 * 86_400
const icon = '/icons/icon-192.png'

const bytesOf = (text: string): number => Buffer.byteLength(JSON.stringify(text)) - 2

const graphemes = new Intl.Segmenter()

/** Truncates the text to `maxBytes` without splitting a grapheme. */
export const shortened = (text: string, maxBytes: number): string => {
  if (bytesOf(text) <= maxBytes) return text
  const room = maxBytes - bytesOf('…')
  let bytes = 0
  for (const { segment, index } of graphemes.segment(text)) {
    bytes += bytesOf(segment)
    if (bytes > room) return room < 0 ? '' : `${text.slice(0, index)}…`
  }
  return text
}

/** The provider requires strings. If the data is too large, the body is truncated first, then the title. */
export const dataOf = ({ notificationId, title, body, url, type }: PushMessage) => {
  const fixed = { title: '', body: '', icon, url, notificationId, type }
  const room = maxDataBytes - Buffer.byteLength(JSON.stringify(fixed))
  const shownTitle = shortened(title, room)
  return { ...fixed, title: shownTitle, body: shortened(body, room - bytesOf(shownTitle)) }
}

/**
 * Has data only: with a `notification`, the provider's code in the browser would show a second one. A push replaces an unfetched one
 * with the same topic. A topic has at most 32 characters: the id without hyphens.
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
