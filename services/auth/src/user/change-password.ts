import { tooManyPasswordChanges, wrongPassword } from '@portal/contracts/auth/errors'
import { loadState } from '@portal/platform/decider/handle-command'
import { rejected, type Result } from '@portal/platform/decider/decider'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import type { ApiError } from '@portal/platform/http/handler'
import { apiErrors as httpApiErrors } from '@portal/platform/http/problem'
import type { AttemptLimiter } from '@portal/platform/limits/port'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import type { Session } from '@portal/platform/session/session'
import { afterWait } from '../after-wait.ts'
import { rejectGuessablePassword } from '../passwords/guessable-password.ts'
import { type PasswordHashing, rejectWhenBusy } from '../passwords/password-hashing.ts'
import { userDecider } from './decider.ts'
import { openProfile } from './profile.ts'
import type { ReplacePassword } from './replace-password.ts'

type ChangePasswordDeps = {
  readonly eventStore: Pick<EventStore, 'read'>
  readonly vault: Pick<PersonalDataVault, 'decrypt'>
  readonly passwords: Pick<PasswordHashing, 'verify'>
  readonly replacePassword: ReplacePassword
  /** Counts right and wrong passwords: an open session must not allow guessing, nor overload the portal. */
  readonly attemptsPerUser: AttemptLimiter
}

type PasswordInput = { readonly currentPassword: string; readonly newPassword: string }

const wrongCurrentPassword: ApiError = { ...wrongPassword, errors: { currentPassword: wrongPassword.message } }

/** Changes the password of the logged-in user. Ends their other sessions and keeps the current one. */
export const createChangePassword = ({
  eventStore,
  vault,
  passwords,
  replacePassword,
  attemptsPerUser,
}: ChangePasswordDeps) => {
  const change = async (
    { userId, sessionId }: Session,
    { currentPassword, newPassword }: PasswordInput,
    metadata: EventMetadata,
  ): Promise<Result<void, ApiError>> => {
    const { state } = await loadState(eventStore, userDecider, userId)
    if (state.status !== 'active') return rejected(httpApiErrors.unauthenticated)
    const [hash, profile] = await Promise.all([
      vault.decrypt(userId, state.credential),
      openProfile(vault, userId, state.profile),
    ])
    if (hash === undefined || profile === undefined) return rejected(httpApiErrors.unauthenticated)
    if ((await passwords.verify(hash, currentPassword)) !== 'right') return rejected(wrongCurrentPassword)
    const guessable = rejectGuessablePassword('newPassword', newPassword, profile)
    if (guessable) return rejected(guessable)
    const replaced = await replacePassword(
      {
        userId,
        replaces: state.credential,
        password: newPassword,
        endsSessions: { reason: 'password-changed', except: sessionId },
      },
      metadata,
    )
    // It was right when it was checked, and another request has changed it since.
    return replaced.ok ? replaced : rejected(wrongCurrentPassword)
  }

  return async (session: Session, typed: PasswordInput, metadata: EventMetadata): Promise<Result<void, ApiError>> => {
    const wait = await attemptsPerUser.attempt(session.userId)
    if (wait !== undefined) return rejected(afterWait(tooManyPasswordChanges, wait))
    return rejectWhenBusy(() => change(session, typed, metadata))
  }
}
export type ChangePassword = ReturnType<typeof createChangePassword>
