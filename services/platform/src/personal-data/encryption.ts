import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** AES-256-GCM: [version][nonce][ciphertext][tag]. The owner is authenticated as additional data, so it decrypts for no other. */
const version = 1
const nonceBytes = 12
const tagBytes = 16
const headBytes = 1 + nonceBytes

export const keyBytes = 32

/** The encrypted bytes were changed, or belong to another user or key. */
export class TamperedError extends Error {
  override readonly name = 'TamperedError'
}

export const encryptBytes = (key: Uint8Array, boundTo: string, plain: Uint8Array): Buffer => {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(boundTo))
  return Buffer.concat([Buffer.of(version), nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

export const decryptBytes = (key: Uint8Array, boundTo: string, encrypted: Uint8Array): Buffer => {
  if (encrypted.length < headBytes + tagBytes || encrypted[0] !== version) {
    throw new TamperedError('The encrypted data has an unknown format')
  }
  const decipher = createDecipheriv('aes-256-gcm', key, encrypted.subarray(1, headBytes), { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(boundTo)).setAuthTag(encrypted.subarray(-tagBytes))
  const plain = decipher.update(encrypted.subarray(headBytes, -tagBytes))
  try {
    return Buffer.concat([plain, decipher.final()])
  } catch (cause) {
    throw new TamperedError('The encrypted data does not fit its key', { cause })
  }
}
