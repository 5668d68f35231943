import { createHash } from 'node:crypto'

/**
 * The same parts give the same UUID (version 8: made from SHA-256), so that a repeated command appends nothing new. Parts are
 * kept apart: ('a', 'bc') and ('ab', 'c') differ.
 */
export const deterministicEventId = (...parts: readonly string[]): string => {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex')
  const variant = ((Number.parseInt(hash.charAt(16), 16) & 0x3) | 0x8).toString(16)
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-${variant}${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}

/** The ids of a command's events, by the id of the command, or what names it: what is appended a second time is recognized. */
export const eventIdsOf =
  (...command: readonly string[]) =>
  (index: number): string =>
    deterministicEventId(...command, String(index))
