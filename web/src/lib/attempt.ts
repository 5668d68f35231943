/** One wish: its body and the key under which the server will carry it out at most once. */
export type Attempt = { readonly body: string; readonly key: string }

export const isAttemptOf = (attempt: Attempt | undefined, body: unknown): attempt is Attempt =>
  attempt?.body === JSON.stringify(body)

/**
 * A retry of the same body keeps its key: when the first try reached the server and only the answer was lost, the server
 * recognises it, and nothing is sent or added twice. Another body is another wish.
 */
export const attemptFor = (previous: Attempt | undefined, body: unknown, newKey: () => string): Attempt =>
  isAttemptOf(previous, body) ? previous : { body: JSON.stringify(body), key: newKey() }

/** 128 random bits. crypto.randomUUID exists on https and localhost only; this one everywhere. */
export const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
