import type { EndedSessions, EncryptedText } from '@portal/contracts/auth/events'
import type { UserId } from '@portal/contracts/shared/ids'
import { messagePosition } from '@portal/platform/bus/relay'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { eventIdsOf } from '@portal/platform/decider/event-id'
import { handleCommand } from '@portal/platform/decider/handle-command'
import { ok, type Result } from '@portal/platform/decider/decider'
import { isTransient } from '@portal/platform/errors/error-kinds'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import type { ReadModels } from '@portal/platform/generations/read-models'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import type { PasswordHashing } from '../passwords/password-hashing.ts'
import type { EndEarlierSessions } from '../session/end-earlier-sessions.ts'
import { waitForUserEvent } from './wait-for-user-event.ts'
import { userDecider, type UserRejection } from './decider.ts'

type ReplacePasswordDeps = {
  readonly eventStore: EventStore
  readonly readModels: Pick<ReadModels, 'of'>
  readonly vault: Pick<PersonalDataVault, 'encrypt'>
  readonly clockAndIds: Pick<ClockAndIds, 'newId'>
  readonly passwords: Pick<PasswordHashing, 'hash'>
  readonly endEarlierSessions: EndEarlierSessions
}

type PasswordReplacement = {
  readonly userId: UserId
  /** Hash of the current password. If the user has another password by now, the command is rejected. */
  readonly replaces: EncryptedText
  readonly password: string
  readonly endsSessions: EndedSessions
}

/**
 * Replaces the password. Waits until the new one works and the ended sessions are rejected. One append decides; the
 * auth reactor completes the rest after a failure. Throws PasswordsBusyError.
 */
export const createReplacePassword = (deps: ReplacePasswordDeps) => {
  const { eventStore, readModels, vault, clockAndIds, passwords, endEarlierSessions } = deps
  return async (replacement: PasswordReplacement, metadata: EventMetadata): Promise<Result<void, UserRejection>> => {
    const { userId, replaces, password, endsSessions } = replacement
    const credential = await vault.encrypt(userId, await passwords.hash(password))
    const handled = await handleCommand(
      eventStore,
      userDecider,
      userId,
      { type: 'ChangePassword', replaces, credential, endsSessions },
      { eventId: eventIdsOf(clockAndIds.newId()), metadata },
    )
    if (!handled.ok) return handled
    const { events, position } = handled.value
    const [changed] = events
    if (changed && position !== undefined) {
      await waitForUserEvent(readModels, changed, position)
      const change = { userId, endsSessions, position: messagePosition(position) }
      try {
        await endEarlierSessions(change, metadata)
      } catch (error) {
        // The new password is recorded; the auth reactor ends the sessions once the engines are available.
        if (!isTransient(error)) throw error
      }
    }
    return ok(undefined)
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
