import { createCipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto'
import type { Subscription } from './subscription.ts'

/** What all push services must accept. */
const maxBodyBytes = 4_096
const saltBytes = 16
const publicKeyBytes = 65
const tagBytes = 16
const headerBytes = saltBytes + 4 + 1 + publicKeyBytes

/** 3,993: the body less the header, the delimiter and the tag. */
export const maxPayloadBytes = maxBodyBytes - headerBytes - 1 - tagBytes

/** Made for each message. Given by tests only. */
type Secrets = { readonly salt: Buffer; readonly curve: ECDH }

const newSecrets = (): Secrets => {
  const curve = createECDH('prime256v1')
  curve.generateKeys()
  return { salt: randomBytes(saltBytes), curve }
}

/** The body of a push that only the browser can read: RFC 8291, in one record of RFC 8188. */
export const encryptPush = (
  { p256dh, auth }: Pick<Subscription, 'p256dh' | 'auth'>,
  payload: Buffer,
  { salt, curve }: Secrets = newSecrets(),
): Buffer => {
  const publicKey = curve.getPublicKey()
  const derive = (key: Uint8Array, from: Buffer, info: string | Buffer, bytes: number): Buffer =>
    Buffer.from(hkdfSync('sha256', key, from, info, bytes))
  const inputKey = derive(
    curve.computeSecret(p256dh),
    auth,
    Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, publicKey]),
    32,
  )
  const key = derive(inputKey, salt, 'Content-Encoding: aes128gcm\0', 16)
  const nonce = derive(inputKey, salt, 'Content-Encoding: nonce\0', 12)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  const recordSize = Buffer.alloc(4)
  recordSize.writeUInt32BE(maxBodyBytes)
  const lastRecord = Buffer.of(2)
  return Buffer.concat([
    salt,
    recordSize,
    Buffer.of(publicKeyBytes),
    publicKey,
    cipher.update(Buffer.concat([payload, lastRecord])),
    cipher.final(),
    cipher.getAuthTag(),
  ])
}
