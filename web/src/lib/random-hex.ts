/** Random bytes as hexadecimal digits. crypto.randomUUID exists on https and localhost only; this function works everywhere. */
export const randomHex = (bytes: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** An idempotency key: 128 random bits. */
export const randomKey = (): string => randomHex(16)
