import type { EncryptedText } from '@portal/contracts/auth/events'

/**
 * Where the bytes of an erased user's key are. 'awaiting-scavenge': in EventStoreDB's files until it has been scavenged.
 * 'held-by-reader': in SQLite's write-ahead log until another connection stops reading. 'erased-before': an earlier call destroyed it.
 */
export type KeyBytes = 'gone' | 'awaiting-scavenge' | 'held-by-reader' | 'erased-before'

/**
 * Personal data is sealed with a key of its user before it reaches an event. The keys live outside the event store;
 * destroying one makes everything sealed with it unreadable, while every event stays replayable.
 */
export type PersonalDataVault = {
  /** Makes the user's key on first use. Throws for an erased user. */
  encrypt(userId: string, text: string): Promise<EncryptedText>
  /** Undefined once the user's key has been destroyed. Throws when the text was tampered with. */
  decrypt(userId: string, sealed: EncryptedText): Promise<string | undefined>
  /** Destroys the user's key for good. Nothing can be opened with it from then on, wherever its bytes still are. */
  erase(userId: string): Promise<KeyBytes>
  /** Keyed hash, to look up what must not be stored in the clear. The same text gives the same index. */
  index(
    purpose: 'email' | 'mobile' | 'push-token' | 'code' | 'reset-token' | 'request' | 'browser' | 'device' | 'limit',
    text: string,
  ): string
  close(): Promise<void>
}

/** Data of an erased user cannot be sealed again: nothing new may be recorded about them. */
export class ErasedUserError extends Error {
  override readonly name = 'ErasedUserError'
  constructor() {
    super('The data of this user has been erased')
  }
}
