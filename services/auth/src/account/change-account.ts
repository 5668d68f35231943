import * as error from '@portal/contracts/auth/account-errors'
import type { AdminRemoved } from '@portal/contracts/auth/events'
import type { Role } from '@portal/contracts/auth/user'
import type { UserId } from '@portal/contracts/shared/ids'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import { eventIdsOf } from '@portal/platform/decider/event-id'
import type { EventMetadata } from '@portal/platform/event-store/port'
import type { ApiError } from '@portal/platform/http/handler'
import { apiErrors } from '@portal/platform/http/problem'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import { type AdminRoster, changeAfterRemoval } from '../admin-roster/admin-roster.ts'
import type { AdminRosterRejection } from '../admin-roster/decider.ts'
import { type ActiveUser, isActiveAdmin, isDeactivated, type UserCommand } from '../user/decider.ts'
import type { RecordAccountChange } from '../user/record-account-change.ts'
import type { LoadAccount } from './account.ts'
import type { ConfirmOwnPassword } from './confirm-own-password.ts'

/** Who asks for it, with the password that they entered. */
export type Actor = { readonly userId: UserId; readonly password?: string | undefined }
export type ConfirmedActor = { readonly userId: UserId; readonly password: string }

type ChangeAccountDeps = {
  readonly vault: Pick<PersonalDataVault, 'encrypt'>
  readonly clockAndIds: Pick<ClockAndIds, 'newId'>
  readonly roster: AdminRoster
  readonly loadAccount: LoadAccount
  readonly confirmOwnPassword: ConfirmOwnPassword
  readonly recordAccountChange: RecordAccountChange
}

const passwordMissing: ApiError = {
  ...error.ownPasswordRequired,
  errors: { password: error.ownPasswordRequired.message },
}

export const apiErrorOfRoster = (rejection: AdminRosterRejection): ApiError => {
  switch (rejection) {
    case 'last-admin':
      return error.lastAdmin
    case 'too-many-admins':
      return error.tooManyAdmins
    case 'removed-meanwhile':
      return error.adminChangedMeanwhile
    case 'actor-removed':
      return apiErrors.forbidden
  }
}

type Outcome = Promise<Result<void, ApiError>>

/** The account became an active admin after it was read, or would become one, so the admin roster must decide. */
export const isAdminMeanwhile = 'is-admin-meanwhile'
export type Decided<T> = Result<T, ApiError> | typeof isAdminMeanwhile

/** More promotions than that during one change are no coincidence. */
const maxDecisions = 3

export const decideAgain = async <T>(decide: () => Promise<Decided<T>>): Promise<Result<T, ApiError>> => {
  for (let decisions = 0; decisions < maxDecisions; decisions++) {
    const decided = await decide()
    if (decided !== isAdminMeanwhile) return decided
  }
  return rejected(error.adminChangedMeanwhile)
}

/** An admin changes the role of an account, deactivates or reactivates it. The account's own stream names the admin as actor. */
export const createChangeAccount = (deps: ChangeAccountDeps) => {
  const { vault, clockAndIds, roster, loadAccount, confirmOwnPassword, recordAccountChange } = deps

  const record = async (
    userId: UserId,
    { command, eventId }: { readonly command: UserCommand; eventId(index: number): string },
    metadata: EventMetadata,
  ): Promise<Decided<void>> => {
    const recorded = await recordAccountChange(userId, command, { eventId, metadata })
    if (recorded.ok) return recorded
    const { error: rejection } = recorded
    const isForRoster = rejection === 'is-admin' || rejection === 'becomes-admin'
    return isForRoster ? isAdminMeanwhile : rejected(error.personNotFound)
  }

  const newChange = (command: UserCommand) => ({ command, eventId: eventIdsOf(clockAndIds.newId()) })

  /** Records first in the roster that an active admin ceases to be one. */
  const recordRemoval = async (
    { userId }: ActiveUser,
    by: UserId,
    change: AdminRemoved['change'],
    metadata: EventMetadata,
  ): Promise<Decided<void>> => {
    const removed = await roster.remove({ userId, by, change }, metadata)
    if (!removed.ok) return rejected(apiErrorOfRoster(removed.error))
    return record(userId, changeAfterRemoval(removed.value), metadata)
  }

  const recordAddition = async (
    { userId }: ActiveUser,
    command: UserCommand,
    metadata: EventMetadata,
  ): Promise<Decided<void>> => {
    const added = await roster.add(userId, metadata)
    return added.ok ? record(userId, newChange(command), metadata) : rejected(apiErrorOfRoster(added.error))
  }

  return {
    changeRole: (userId: UserId, role: Role, actor: ConfirmedActor, metadata: EventMetadata): Outcome =>
      decideAgain(async () => {
        const account = await loadAccount(userId)
        if (!account) return rejected(error.personNotFound)
        const { user } = account
        const confirmed = await confirmOwnPassword(actor.userId, actor.password)
        if (!confirmed.ok) return confirmed
        const command = { type: 'ChangeRole', role, by: actor.userId } as const
        if (role !== 'admin')
          return isActiveAdmin(user)
            ? recordRemoval(user, actor.userId, { kind: 'role', role }, metadata)
            : record(userId, newChange({ ...command, unlessAdmin: true }), metadata)
        const isNewAdmin = user.role !== 'admin' && !isDeactivated(user)
        return isNewAdmin
          ? recordAddition(user, command, metadata)
          : record(userId, newChange({ ...command, unlessNewAdmin: true }), metadata)
      }),

    /** Keeps address and password. Logins are refused until the account is reactivated. */
    deactivate: (userId: UserId, typedReason: string, actor: Actor, metadata: EventMetadata): Outcome =>
      decideAgain(async () => {
        const account = await loadAccount(userId)
        if (!account) return rejected(error.personNotFound)
        const confirmed = await confirmForAdmin(confirmOwnPassword, account.user, actor)
        if (!confirmed.ok) return confirmed
        const reason = await vault.encrypt(userId, typedReason)
        return isActiveAdmin(account.user)
          ? recordRemoval(account.user, actor.userId, { kind: 'deactivated', reason }, metadata)
          : record(userId, newChange({ type: 'DeactivateUser', reason, unlessAdmin: true }), metadata)
      }),

    /** Of another person. */
    endSessions: (userId: UserId, actor: ConfirmedActor, metadata: EventMetadata): Outcome =>
      decideAgain(async () => {
        if (userId === actor.userId) return rejected(error.ownSessions)
        const account = await loadAccount(userId)
        if (!account) return rejected(error.personNotFound)
        const confirmed = await confirmOwnPassword(actor.userId, actor.password)
        if (!confirmed.ok) return confirmed
        return record(userId, newChange({ type: 'EndSessions' }), metadata)
      }),

    reactivate: (userId: UserId, metadata: EventMetadata): Outcome =>
      decideAgain(async () => {
        const account = await loadAccount(userId)
        if (!account) return rejected(error.personNotFound)
        const { user } = account
        if (!isDeactivated(user)) return ok(undefined)
        return user.role === 'admin'
          ? recordAddition(user, { type: 'ReactivateUser' }, metadata)
          : record(userId, newChange({ type: 'ReactivateUser', unlessNewAdmin: true }), metadata)
      }),
  }
}
export type ChangeAccount = ReturnType<typeof createChangeAccount>

/** A stolen session of an admin must not be able to remove the other admins. */
export const confirmForAdmin = async (
  confirmOwnPassword: ConfirmOwnPassword,
  { role }: Pick<ActiveUser, 'role'>,
  { userId, password }: Actor,
): Outcome => {
  if (role !== 'admin') return ok(undefined)
  return password === undefined ? rejected(passwordMissing) : confirmOwnPassword(userId, password)
}
