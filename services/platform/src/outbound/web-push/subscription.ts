import { ECDH } from 'node:crypto'
import { z } from 'zod'
import { parseJson } from '../../files/parse-json.ts'

/** What a browser says of its subscription, checked. */
export type Subscription = {
  /** At the push service that the browser has chosen. Always https. */
  readonly endpoint: URL
  /** The browser's public key: an uncompressed point of P-256. */
  readonly p256dh: Buffer
  readonly auth: Buffer
}

const prefix = 'webpush:'

/** Tokens of FCM have no such prefix. */
export const isSubscription = (token: string): boolean => token.startsWith(prefix)

const isPoint = (bytes: Buffer): boolean => {
  try {
    ECDH.convertKey(bytes, 'prime256v1')
    return bytes.length === 65
  } catch {
    return false
  }
}

const bytes = z.base64url().transform((text) => Buffer.from(text, 'base64url'))
const isEndpoint = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && url.protocol === 'https:' && url.username === '' && url.password === ''
}
const subscriptionSchema = z.object({
  endpoint: z
    .string()
    .refine(isEndpoint, { abort: true })
    .transform((text) => new URL(text)),
  keys: z.object({ p256dh: bytes.refine(isPoint), auth: bytes.refine(({ length }) => length === 16) }),
})

const jsonIn = (token: string): unknown => parseJson(Buffer.from(token.slice(prefix.length), 'base64url').toString())

/** Reads a token of the form `webpush:` and base64url of the subscription's JSON. Undefined if it is none that can receive a push. */
export const readSubscription = (token: string): Subscription | undefined => {
  if (!isSubscription(token)) return undefined
  const { data } = subscriptionSchema.safeParse(jsonIn(token))
  return data && { endpoint: data.endpoint, ...data.keys }
}
