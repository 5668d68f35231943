import type { ErasureReceipt } from '@portal/contracts/auth/accounts'
import * as error from '@portal/contracts/auth/account-errors'
import type { UserId } from '@portal/contracts/shared/ids'
import { cleanEmail } from '@portal/contracts/shared/typed-input'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import type { EventMetadata } from '@portal/platform/event-store/port'
import type { ApiError } from '@portal/platform/http/handler'
import { apiErrors } from '@portal/platform/http/problem'
import type { AttemptLimiter } from '@portal/platform/limits/port'
import type { AdminRoster } from '../admin-roster/admin-roster.ts'
import { afterWait } from '../after-wait.ts'
import { type ActiveUser, isActiveAdmin } from '../user/decider.ts'
import type { Erasure } from '../user/erasure.ts'
import type { LoadAccount } from './account.ts'
import {
  type Actor,
  apiErrorOfRoster,
  type ConfirmedActor,
  confirmForAdmin,
  decideAgain,
  type Decided,
  isAdminMeanwhile,
} from './change-account.ts'
import type { ConfirmOwnPassword } from './confirm-own-password.ts'

type EraseAccountDeps = {
  readonly roster: Pick<AdminRoster, 'remove'>
  readonly erasure: Pick<Erasure, 'eraseUser' | 'receiptOf'>
  readonly loadAccount: LoadAccount
  readonly confirmOwnPassword: ConfirmOwnPassword
  /** Also counts wrong addresses. Bounds what a stolen session of an admin can destroy. */
  readonly erasuresPerAdmin: AttemptLimiter
}

type Outcome = Promise<Result<ErasureReceipt, ApiError>>

const notTheAddress: ApiError = { ...error.wrongAddress, errors: { personalEmail: error.wrongAddress.message } }

/** Deletes an account permanently, by its owner or by an admin. */
export const createEraseAccount = (deps: EraseAccountDeps) => {
  const { roster, erasure, loadAccount, confirmOwnPassword, erasuresPerAdmin } = deps

  const erase = async (user: ActiveUser, by: UserId, metadata: EventMetadata): Promise<Decided<ErasureReceipt>> => {
    const { userId } = user
    const isAdmin = isActiveAdmin(user)
    if (isAdmin) {
      const removed = await roster.remove({ userId, by, change: { kind: 'erased' } }, metadata)
      if (!removed.ok) return rejected(apiErrorOfRoster(removed.error))
    }
    const erased = await erasure.eraseUser(userId, metadata, isAdmin ? {} : { unlessAdmin: true })
    if (erased === 'is-admin') return isAdminMeanwhile
    const receipt = await erasure.receiptOf(userId)
    return receipt ? ok(receipt) : rejected(error.personNotFound)
  }

  return {
    eraseOwn: async ({ userId, password }: ConfirmedActor, metadata: EventMetadata): Outcome => {
      const confirmed = await confirmOwnPassword(userId, password)
      if (!confirmed.ok) return confirmed
      return decideAgain(async () => {
        const account = await loadAccount(userId)
        return account ? erase(account.user, userId, metadata) : rejected(apiErrors.unauthenticated)
      })
    },

    /** The admin types the address, so that nobody deletes the wrong account. */
    eraseByAdmin: async (userId: UserId, typedEmail: string, actor: Actor, metadata: EventMetadata): Outcome => {
      const wait = await erasuresPerAdmin.attempt(actor.userId)
      if (wait !== undefined) return rejected(afterWait(error.tooManyErasures, wait))
      return decideAgain(async () => {
        const account = await loadAccount(userId)
        if (!account) return rejected(error.personNotFound)
        const { user, profile } = account
        if (cleanEmail(typedEmail) !== cleanEmail(profile.personalEmail)) return rejected(notTheAddress)
        const confirmed = await confirmForAdmin(confirmOwnPassword, user, actor)
        return confirmed.ok ? erase(user, actor.userId, metadata) : confirmed
      })
    },
  }
}
export type EraseAccount = ReturnType<typeof createEraseAccount>
