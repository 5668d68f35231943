import { alreadyRegistered, linkNotValid, noRoomForAdmin } from '@portal/contracts/auth/errors'
import type { UserId } from '@portal/contracts/shared/ids'
import { limits } from '@portal/contracts/shared/rules'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import { eventIdsOf } from '@portal/platform/decider/event-id'
import { handleCommand, loadState } from '@portal/platform/decider/handle-command'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import type { ApiError } from '@portal/platform/http/handler'
import { ErasedUserError, type PersonalDataVault } from '@portal/platform/personal-data/port'
import { addAdminUnlimited, type AdminRoster } from '../admin-roster/admin-roster.ts'
import { emailIndexOf, resetTokenHash } from '../password-reset/reset-token.ts'
import { rejectGuessablePassword } from '../passwords/guessable-password.ts'
import { type PasswordHashing, rejectWhenBusy } from '../passwords/password-hashing.ts'
import type { Completion } from '../registration/completion.ts'
import { registrationDecider } from '../registration/decider.ts'
import { openProfile } from '../user/profile.ts'
import { type AcceptedInvitation, invitationDecider, invitationOfLink, type InvitationRejection } from './decider.ts'
import type { EndInvitation } from './end-invitation.ts'

type AcceptInvitationDeps = {
  readonly eventStore: Pick<EventStore, 'read' | 'append'>
  readonly vault: Pick<PersonalDataVault, 'index' | 'encrypt' | 'decrypt'>
  readonly clockAndIds: Pick<ClockAndIds, 'now' | 'newId'>
  readonly passwords: Pick<PasswordHashing, 'hash'>
  readonly completion: Pick<Completion, 'complete'>
  readonly end: Pick<EndInvitation, 'lapse'>
  readonly roster: Pick<AdminRoster, 'count'>
}

type Accepted = { readonly emailIndex: string; readonly userId: UserId }

const apiErrorOf = (rejection: InvitationRejection): ApiError =>
  rejection === 'address-taken' ? alreadyRegistered : linkNotValid

export const createAcceptInvitation = (deps: AcceptInvitationDeps) => {
  const { eventStore, vault, clockAndIds, passwords, completion, end, roster } = deps

  /** Creates the account, once. Whether the address was still free is decided by its own stream. */
  const createAccount = async (accepted: AcceptedInvitation, metadata: EventMetadata) => {
    const { userId, role, emailIndex, profile, credential } = accepted
    const details = { userId, role, emailIndex, mobileIndex: vault.index('mobile', ''), profile, credential }
    const handled = await handleCommand(
      eventStore,
      registrationDecider,
      emailIndex,
      { type: 'RegisterDirectly', details },
      { eventId: eventIdsOf('registered-directly', userId), metadata },
    )
    if (!handled.ok) {
      await end.lapse(accepted, 'address-taken', metadata)
      return 'address-taken'
    }
    if (role === 'admin') await addAdminUnlimited(eventStore, userId, userId)
    const { state } = handled.value
    if (state.status === 'completed') await completion.complete(state, metadata)
    return 'created'
  }

  const accept = async (
    token: string,
    password: string,
    metadata: EventMetadata,
  ): Promise<Result<Accepted, ApiError>> => {
    const emailIndex = emailIndexOf(token)
    if (emailIndex === undefined) return rejected(linkNotValid)
    const tokenHash = resetTokenHash(vault, token)
    const { state } = await loadState(eventStore, invitationDecider, emailIndex)
    const invitation = invitationOfLink(state, tokenHash, clockAndIds.now())
    if (!invitation.ok) return rejected(apiErrorOf(invitation.error))
    const { userId, role, profile } = invitation.value
    const { state: address } = await loadState(eventStore, registrationDecider, emailIndex)
    if (address.status === 'completed') {
      await end.lapse(invitation.value, 'address-taken', metadata)
      return rejected(alreadyRegistered)
    }
    if (role === 'admin' && (await roster.count()) >= limits.admins) return rejected(noRoomForAdmin)
    const person = await openProfile(vault, userId, profile)
    if (person === undefined) return rejected(linkNotValid)
    const guessable = rejectGuessablePassword('password', password, person)
    if (guessable) return rejected(guessable)
    const credential = await vault.encrypt(userId, await passwords.hash(password))
    const command = { type: 'AcceptInvitation', tokenHash, credential, now: clockAndIds.now() } as const
    const handled = await handleCommand(eventStore, invitationDecider, emailIndex, command, {
      eventId: eventIdsOf('invitation-accepted', clockAndIds.newId()),
      metadata,
    })
    if (!handled.ok) return rejected(apiErrorOf(handled.error))
    const accepted = { ...invitation.value, status: 'accepted', credential } as const
    const outcome = await createAccount(accepted, metadata)
    return outcome === 'created' ? ok({ emailIndex, userId }) : rejected(alreadyRegistered)
  }

  return {
    /**
     * Creates the account with this password. One append decides which use of the link counts; the rest is completed by
     * the auth reactor if the request cannot.
     */
    accept: async (token: string, password: string, metadata: EventMetadata): Promise<Result<Accepted, ApiError>> => {
      try {
        return await rejectWhenBusy(() => accept(token, password, metadata))
      } catch (error) {
        // It was withdrawn while the password was hashed.
        if (error instanceof ErasedUserError) return rejected(linkNotValid)
        throw error
      }
    },

    /** Creates the account of the accepted invitation if it is missing. */
    finish: async (emailIndex: string, metadata: EventMetadata): Promise<void> => {
      const { state } = await loadState(eventStore, invitationDecider, emailIndex)
      if (state.status === 'accepted') await createAccount(state, metadata)
    },
  }
}
export type AcceptInvitation = ReturnType<typeof createAcceptInvitation>
