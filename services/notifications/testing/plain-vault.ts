import { type EncryptedText, encryptedTextSchema } from '@portal/contracts/auth/events'
import type { UserId } from '@portal/contracts/shared/ids'
import type { TestProfile } from './people.ts'

let encryptions = 0

/** A profile for `createPlainVault`. Equal profiles give different texts, as with encryption. */
export const plainProfile = (profile: TestProfile): EncryptedText =>
  encryptedTextSchema.parse(JSON.stringify({ ...profile, nonce: ++encryptions }))

/** A vault that encrypts nothing and counts what it decrypts. */
export const createPlainVault = () => {
  const erased = new Set<string>()
  const decrypted: string[] = []
  return {
    /** The users whose texts were decrypted since the last call. */
    takeDecrypted: (): readonly string[] => decrypted.splice(0),
    erase: (userId: UserId): void => void erased.add(userId),
    decrypt: async (userId: string, text: EncryptedText): Promise<string | undefined> => {
      decrypted.push(userId)
      return erased.has(userId) ? undefined : text
    },
  }
}
