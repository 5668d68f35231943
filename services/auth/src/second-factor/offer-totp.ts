import { tooManyChecks } from '@portal/contracts/auth/errors'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import type { EventMetadata } from '@portal/platform/event-store/port'
import type { ApiError } from '@portal/platform/http/handler'
import { apiErrors } from '@portal/platform/http/problem'
import type { AttemptLimiter } from '@portal/platform/limits/port'
import type { UserId } from '@portal/contracts/shared/ids'
import { afterWait } from '../after-wait.ts'
import type { FindUser } from '../user/directory.ts'
import { apiErrorOf } from './rejections.ts'
import type { SecondFactors } from './second-factors.ts'
import { totpUri } from './totp.ts'

type OfferTotpDeps = {
  readonly findUser: FindUser
  readonly secondFactors: Pick<SecondFactors, 'offer'>
  /** Each offer is an event. */
  readonly offersPerUser: AttemptLimiter
}

export type OfferedTotp = { readonly secret: string; readonly uri: string }

/** Makes a secret for an authenticator app, which shows the address of the user beside its codes. */
export const createOfferTotp =
  ({ findUser, secondFactors, offersPerUser }: OfferTotpDeps) =>
  async (
    { userId, isFirst }: { readonly userId: UserId; readonly isFirst: boolean },
    metadata: EventMetadata,
  ): Promise<Result<OfferedTotp, ApiError>> => {
    const wait = await offersPerUser.attempt(userId)
    if (wait !== undefined) return rejected(afterWait(tooManyChecks, wait))
    const user = await findUser(userId)
    // Erased in the meantime.
    if (!user) return rejected(apiErrors.unauthenticated)
    const offered = await secondFactors.offer({ userId, isFirst }, metadata)
    if (!offered.ok) return rejected(apiErrorOf(offered.error))
    return ok({ secret: offered.value, uri: totpUri(offered.value, user.personalEmail) })
  }
export type OfferTotp = ReturnType<typeof createOfferTotp>
