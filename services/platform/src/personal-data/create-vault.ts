import { createHmac } from 'node:crypto'
import { type EncryptedText, encryptedTextSchema } from '@portal/contracts/auth/events'
import type { KeyBytes, PersonalDataVault } from './port.ts'
import { decryptBytes, encryptBytes } from './encryption.ts'

/** The store of user keys. */
export type UserKeys = {
  /** The user's key, created if there is none. Throws ErasedUserError for an erased user. */
  encryptionKey(userId: string): Promise<Uint8Array>
  /** Undefined if it was destroyed. */
  decryptionKey(userId: string): Promise<Uint8Array | undefined>
  destroy(userId: string): Promise<KeyBytes>
  check(): Promise<void>
  close(): Promise<void>
}

const toEncryptedText = (bytes: Buffer): EncryptedText => encryptedTextSchema.parse(bytes.toString('base64url'))

export const createVault = (keys: UserKeys, indexKey: Uint8Array): PersonalDataVault => ({
  encrypt: async (userId, text) =>
    toEncryptedText(encryptBytes(await keys.encryptionKey(userId), userId, Buffer.from(text))),
  decrypt: async (userId, encrypted) => {
    const key = await keys.decryptionKey(userId)
    return key && decryptBytes(key, userId, Buffer.from(encrypted, 'base64url')).toString()
  },
  erase: keys.destroy,
  // Hexadecimal, because stream names contain indexes.
  index: (purpose, text) => createHmac('sha256', indexKey).update(`${purpose}\0${text}`).digest('hex'),
  check: keys.check,
  close: keys.close,
})
