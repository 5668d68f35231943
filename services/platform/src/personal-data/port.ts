import type { SealedText } from '@portal/contracts/auth/events'

/**
 * Personal data is sealed with a key of its user before it reaches an event. The keys live outside the event store;
 * destroying one makes everything sealed with it unreadable, while every event stays replayable.
 */
export type PersonalDataVault = {
  /** Makes the user's key on first use. Throws for an erased user. */
  seal(userId: string, text: string): Promise<SealedText>
  /** Undefined once the user's key has been destroyed. Throws when the text was tampered with. */
  open(userId: string, sealed: SealedText): Promise<string | undefined>
  /** Destroys the user's key for good. */
  erase(userId: string): Promise<void>
  /** Keyed hash, to look up what must not be stored in the clear. The same text gives the same index. */
  index(
    purpose: 'email' | 'mobile' | 'push-token' | 'code' | 'reset-token' | 'request' | 'browser',
    text: string,
  ): string
  close(): Promise<void>
}
