import { createECDH, createPrivateKey, hkdfSync, type KeyObject } from 'node:crypto'
import { SignJWT } from 'jose'

/** The key pair by which push services recognize the portal (VAPID). Browsers subscribe to pushes of this key only. */
export type PushKeys = {
  /** The uncompressed point in base64url, as browsers take it. */
  readonly publicKey: string
  readonly privateKey: KeyObject
}

const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
const scalarBytes = 32

/** A number from 1 to the order of P-256 less 1. 16 bytes more than it has make its bias negligible (FIPS 186-5, A.2.1). */
const scalarOf = (seed: Uint8Array): Buffer => {
  const wide = Buffer.from(hkdfSync('sha256', seed, Buffer.alloc(0), 'VAPID P-256', scalarBytes + 16))
  const scalar = (BigInt(`0x${wide.toString('hex')}`) % (order - 1n)) + 1n
  return Buffer.from(scalar.toString(16).padStart(2 * scalarBytes, '0'), 'hex')
}

/** The same seed gives the same keys, so that all processes have them, and a restored portal keeps its subscriptions. */
export const pushKeysFrom = (seed: Uint8Array): PushKeys => {
  const scalar = scalarOf(seed)
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(scalar)
  const point = curve.getPublicKey()
  const text = (bytes: Buffer): string => bytes.toString('base64url')
  const jwk = { d: text(scalar), x: text(point.subarray(1, 33)), y: text(point.subarray(33)) }
  return {
    publicKey: text(point),
    privateKey: createPrivateKey({ key: { kty: 'EC', crv: 'P-256', ...jwk }, format: 'jwk' }),
  }
}

/** Push services accept at most 24 hours, by their own clocks. */
const lifetimeSeconds = 12 * 3_600

/** The Authorization header for a push service (RFC 8292). `subject` says whom its operators can reach: an https or mailto address. */
export const vapidAuthorization = async (
  { publicKey, privateKey }: PushKeys,
  { origin, subject, now }: { readonly origin: string; readonly subject: string; readonly now: Date },
): Promise<string> => {
  const token = await new SignJWT()
    .setProtectedHeader({ typ: 'JWT', alg: 'ES256' })
    .setAudience(origin)
    .setSubject(subject)
    .setExpirationTime(Math.floor(now.getTime() / 1_000) + lifetimeSeconds)
    .sign(privateKey)
  return `vapid t=${token}, k=${publicKey}`
}
