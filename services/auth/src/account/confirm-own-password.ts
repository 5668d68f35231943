import { tooManyPasswordChecks } from '@portal/contracts/auth/account-errors'
import { wrongPassword } from '@portal/contracts/auth/errors'
import type { UserId } from '@portal/contracts/shared/ids'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import { loadState } from '@portal/platform/decider/handle-command'
import type { EventStore } from '@portal/platform/event-store/port'
import type { ApiError } from '@portal/platform/http/handler'
import { apiErrors } from '@portal/platform/http/problem'
import type { AttemptLimiter } from '@portal/platform/limits/port'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import { afterWait } from '../after-wait.ts'
import { type PasswordHashing, rejectWhenBusy } from '../passwords/password-hashing.ts'
import { userDecider } from '../user/decider.ts'

type ConfirmOwnPasswordDeps = {
  readonly eventStore: Pick<EventStore, 'read'>
  readonly vault: Pick<PersonalDataVault, 'decrypt'>
  readonly passwords: Pick<PasswordHashing, 'verify'>
  /** Counts wrong passwords: an open session must not allow guessing. What the right one allows has limits of its own. */
  readonly attemptsPerUser: AttemptLimiter
}

const wrongOwnPassword: ApiError = { ...wrongPassword, errors: { password: wrongPassword.message } }

/** Checks that the person who makes a request is the one who logged in. */
export const createConfirmOwnPassword = ({ eventStore, vault, passwords, attemptsPerUser }: ConfirmOwnPasswordDeps) => {
  const check = async (userId: UserId, password: string): Promise<Result<void, ApiError>> => {
    const { state } = await loadState(eventStore, userDecider, userId)
    if (state.status !== 'active') return rejected(apiErrors.unauthenticated)
    const hash = await vault.decrypt(userId, state.credential)
    if (hash === undefined) return rejected(apiErrors.unauthenticated)
    const outcome = await passwords.verify(hash, password)
    return outcome === 'right' ? ok(undefined) : rejected(wrongOwnPassword)
  }

  return async (userId: UserId, password: string): Promise<Result<void, ApiError>> => {
    const wait = await attemptsPerUser.attempt(userId)
    if (wait !== undefined) return rejected(afterWait(tooManyPasswordChecks, wait))
    const checked = await rejectWhenBusy(() => check(userId, password))
    const isWrong = !checked.ok && checked.error === wrongOwnPassword
    if (!isWrong) await attemptsPerUser.refund(userId)
    return checked
  }
}
export type ConfirmOwnPassword = ReturnType<typeof createConfirmOwnPassword>
