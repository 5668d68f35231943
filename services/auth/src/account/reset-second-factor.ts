import * as error from '@portal/contracts/auth/account-errors'
import type { UserId } from '@portal/contracts/shared/ids'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import type { EventMetadata } from '@portal/platform/event-store/port'
import type { ApiError } from '@portal/platform/http/handler'
import type { SecondFactors } from '../second-factor/second-factors.ts'
import type { LoadAccount } from './account.ts'
import type { ConfirmedActor } from './change-account.ts'
import type { ConfirmOwnPassword } from './confirm-own-password.ts'

type ResetSecondFactorDeps = {
  readonly loadAccount: LoadAccount
  readonly confirmOwnPassword: ConfirmOwnPassword
  readonly secondFactors: Pick<SecondFactors, 'remove'>
}

/** Lets a person back in who has lost the second factor. Not an admin: one stolen admin account must not open the others. */
export const createResetSecondFactor =
  ({ loadAccount, confirmOwnPassword, secondFactors }: ResetSecondFactorDeps) =>
  async (userId: UserId, actor: ConfirmedActor, metadata: EventMetadata): Promise<Result<void, ApiError>> => {
    const account = await loadAccount(userId)
    if (!account) return rejected(error.personNotFound)
    if (account.user.role === 'admin') return rejected(error.secondFactorOfAdmin)
    const confirmed = await confirmOwnPassword(actor.userId, actor.password)
    if (!confirmed.ok) return confirmed
    await secondFactors.remove(userId, actor.userId, metadata)
    return ok(undefined)
  }
export type ResetSecondFactor = ReturnType<typeof createResetSecondFactor>
