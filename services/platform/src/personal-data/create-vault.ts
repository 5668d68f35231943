import { createHmac } from 'node:crypto'
import { type EncryptedText, encryptedTextSchema } from '@portal/contracts/auth/events'
import type { KeyBytes, PersonalDataVault } from './port.ts'
import { decryptBytes, encryptBytes } from './encryption.ts'

/** Where the keys of the users are. */
export type UserKeys = {
  /** The user's key, made now if there is none. Throws for an erased user. */
  encryptionKey(userId: string): Promise<Uint8Array>
  /** Undefined when it has been destroyed. */
  decryptionKey(userId: string): Promise<Uint8Array | undefined>
  destroy(userId: string): Promise<KeyBytes>
  close(): Promise<void>
}

const asSealed = (bytes: Buffer): EncryptedText => encryptedTextSchema.parse(bytes.toString('base64url'))

export const createVault = (keys: UserKeys, indexKey: Uint8Array): PersonalDataVault => ({
  encrypt: async (userId, text) => asSealed(encryptBytes(await keys.encryptionKey(userId), userId, Buffer.from(text))),
  decrypt: async (userId, sealed) => {
    const key = await keys.decryptionKey(userId)
    return key && decryptBytes(key, userId, Buffer.from(sealed, 'base64url')).toString()
  },
  erase: keys.destroy,
  // Hexadecimal, because an index becomes part of stream names.
  index: (purpose, text) => createHmac('sha256', indexKey).update(`${purpose}\0${text}`).digest('hex'),
  close: keys.close,
})

const refuse = async (): Promise<never> => {
  throw new Error('This process has INDEX_KEY only: it cannot seal, open or erase personal data')
}

/** For a process that only looks things up by keyed hash: it holds no key that opens anything. */
export const indexOnlyVault = (indexKey: Uint8Array): PersonalDataVault =>
  createVault({ encryptionKey: refuse, decryptionKey: refuse, destroy: refuse, close: async () => {} }, indexKey)
