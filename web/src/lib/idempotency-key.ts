/** A request body and the key under which the server carries it out at most once. */
export type KeyedRequest = { readonly body: string; readonly key: string }

export const isSameRequest = (request: KeyedRequest | undefined, body: unknown): request is KeyedRequest =>
  request?.body === JSON.stringify(body)

/**
 * A retry with the same body keeps its key. If only the first response was lost, the server recognizes the key and repeats
 * nothing. Another body gets another key.
 */
export const keyedRequest = (previous: KeyedRequest | undefined, body: unknown, newKey: () => string): KeyedRequest =>
  isSameRequest(previous, body) ? previous : { body: JSON.stringify(body), key: newKey() }

/** 128 random bits. crypto.randomUUID exists on https and localhost only; this function works everywhere. */
export const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
