import type { EndedSessions, EncryptedText } from '@portal/contracts/auth/events'
import type { UserId } from '@portal/contracts/shared/ids'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { eventIdsOf } from '@portal/platform/decider/event-id'
import { handleCommand } from '@portal/platform/decider/handle-command'
import type { Result } from '@portal/platform/decider/decider'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import type { PasswordHashing } from '../passwords/password-hashing.ts'
import { userDecider, type UserRejection } from './decider.ts'
import type { RecordAccountChange } from './record-account-change.ts'

type ReplacePasswordDeps = {
  readonly vault: Pick<PersonalDataVault, 'encrypt'>
  readonly clockAndIds: Pick<ClockAndIds, 'newId'>
  readonly passwords: Pick<PasswordHashing, 'hash'>
  readonly recordAccountChange: RecordAccountChange
}

type PasswordReplacement = {
  readonly userId: UserId
  /** Hash of the current password. If the user has another password by now, the command is rejected. */
  readonly replaces: EncryptedText
  readonly password: string
  readonly endsSessions: EndedSessions
}

/** Replaces the password. Waits until the new one works and the ended sessions are rejected. Throws PasswordsBusyError. */
export const createReplacePassword = (deps: ReplacePasswordDeps) => {
  const { vault, clockAndIds, passwords, recordAccountChange } = deps
  return async (replacement: PasswordReplacement, metadata: EventMetadata): Promise<Result<void, UserRejection>> => {
    const { userId, replaces, password, endsSessions } = replacement
    const credential = await vault.encrypt(userId, await passwords.hash(password))
    const command = { type: 'ChangePassword', replaces, credential, endsSessions } as const
    return recordAccountChange(userId, command, { eventId: eventIdsOf(clockAndIds.newId()), metadata })
  }
}
export type ReplacePassword = ReturnType<typeof createReplacePassword>

/** Replaces the credential on behalf of an operator. A repetition with the same one changes nothing. */
export const setPassword = async (
  eventStore: Pick<EventStore, 'read' | 'append'>,
  userId: UserId,
  credential: EncryptedText,
): Promise<void> => {
  const handled = await handleCommand(
    eventStore,
    userDecider,
    userId,
    { type: 'SetPassword', credential },
    { eventId: eventIdsOf('password-set', userId, credential) },
  )
  if (!handled.ok) throw new Error(`failed to set password: ${handled.error}`)
}
