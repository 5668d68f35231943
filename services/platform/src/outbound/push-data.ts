import type { PushMessage } from './port.ts'

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

/**
 * What the worker in the browser reads, as strings, which FCM requires. If its JSON is larger than `maxBytes`, the body is truncated
 * first, then the title.
 */
export const dataOf = ({ notificationId, title, body, url, type, image, lang }: PushMessage, maxBytes: number) => {
  const fixed = { title: '', body: '', icon, url, notificationId, type, ...(image && { image }), ...(lang && { lang }) }
  const room = maxBytes - Buffer.byteLength(JSON.stringify(fixed))
  const shownTitle = shortened(title, room)
  return { ...fixed, title: shownTitle, body: shortened(body, room - bytesOf(shownTitle)) }
}

/**
 * A push replaces an unfetched one with the same topic, so that a device shows a retry once. A topic has at most 32 characters: the id
 * without hyphens.
 */
export const topicOf = ({ notificationId }: Pick<PushMessage, 'notificationId'>): string =>
  notificationId.replaceAll(/[^A-Za-z0-9_-]|-/g, '').slice(0, 32)
