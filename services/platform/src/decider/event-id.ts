import { createHash } from 'node:crypto'

/**
 * Derives a UUID (version 8, from SHA-256) from the parts, so that a repeated command appends nothing new. ('a', 'bc') and
 * ('ab', 'c') give different ids.
 */
export const deterministicEventId = (...parts: readonly string[]): string => {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex')
  const variant = ((Number.parseInt(hash.charAt(16), 16) & 0x3) | 0x8).toString(16)
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-${variant}${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}

/** The ids of a command's events, derived from what identifies the command. A repeated append gets the same ids. */
export const eventIdsOf =
  (...command: readonly string[]) =>
  (index: number): string =>
    deterministicEventId(...command, String(index))
