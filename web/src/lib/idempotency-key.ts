/** The key under which the server carries out a request body at most once. */
export type KeyedRequest = {
  /** Identifies the body, which can be megabytes long, and may not be kept beside its key. */
  readonly fingerprint: string
  readonly key: string
}

/** Two 32-bit hashes of each code unit. A coincidence would need billions of bodies of one person. */
export const fingerprintOf = (body: unknown): string => {
  const text = JSON.stringify(body)
  let [high, low] = [0xdeadbeef, 0x41c6ce57]
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    high = Math.imul(high ^ unit, 2_654_435_761)
    low = Math.imul(low ^ unit, 1_597_334_677)
  }
  return `${text.length}-${(high >>> 0).toString(16)}-${(low >>> 0).toString(16)}`
}

export const isSameRequest = (request: KeyedRequest | undefined, body: unknown): request is KeyedRequest =>
  request?.fingerprint === fingerprintOf(body)

/**
 * A retry with the same body keeps its key. If only the first response was lost, the server recognizes the key and repeats
 * nothing. Another body gets another key.
 */
export const keyedRequest = (previous: KeyedRequest | undefined, body: unknown, newKey: () => string): KeyedRequest =>
  isSameRequest(previous, body) ? previous : { fingerprint: fingerprintOf(body), key: newKey() }
