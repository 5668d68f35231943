import type { EncryptedText } from '@portal/contracts/auth/events'

/**
 * Says where the bytes of an erased user's key are. 'awaiting-scavenge': in EventStoreDB's files until the next scavenge.
 * 'held-by-reader': in SQLite's write-ahead log until another connection stops reading. 'erased-before': an earlier call destroyed it.
 */
export type KeyBytes = 'gone' | 'awaiting-scavenge' | 'held-by-reader' | 'erased-before'

/**
 * Personal data is encrypted with a key of its user before it becomes part of an event. The keys live outside the log. Destroying a
 * key makes the user's data unreadable, while every event can still be replayed.
 */
export type PersonalDataVault = {
  /** Creates the user's key on first use. Throws ErasedUserError for an erased user. */
  encrypt(userId: string, text: string): Promise<EncryptedText>
  /** Undefined if the user's key was destroyed. Throws TamperedError if the text was changed. */
  decrypt(userId: string, encrypted: EncryptedText): Promise<string | undefined>
  /** Destroys the user's key. It decrypts nothing afterwards, even if its bytes are still on disk. */
  erase(userId: string): Promise<KeyBytes>
  /** A deterministic keyed hash, to find values that must not be stored in plain text. */
  index(
    purpose:
      | 'email'
      | 'mobile'
      | 'push-token'
      | 'code'
      | 'reset-token'
      | 'request'
      | 'browser'
      | 'device'
      | 'limit'
      | 'challenge'
      | 'recovery-code'
      | 'passkey'
      | 'passkey-user'
      | 'payment',
    text: string,
  ): string
  /** Rejects if no key can be made at the moment. With EventStoreDB, that is its own health. */
  check(): Promise<void>
  close(): Promise<void>
}

/** No personal data may be recorded about an erased user. */
export class ErasedUserError extends Error {
  override readonly name = 'ErasedUserError'
  constructor() {
    super('The data of this user has been erased')
  }
}
