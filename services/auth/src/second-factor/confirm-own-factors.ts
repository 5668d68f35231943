import { type OwnFactors, secondFactorNeeded } from '@portal/contracts/auth/factor-proof'
import type { UserId } from '@portal/contracts/shared/ids'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import type { EventMetadata } from '@portal/platform/event-store/port'
import type { ApiError } from '@portal/platform/http/handler'
import type { ConfirmOwnPassword } from '../account/confirm-own-password.ts'
import { isOn } from './factors.ts'
import type { Ceremony } from './passkeys.ts'
import type { ProveFactor } from './prove-factor.ts'
import type { SecondFactors } from './second-factors.ts'

type ConfirmOwnFactorsDeps = {
  readonly confirmOwnPassword: ConfirmOwnPassword
  readonly secondFactors: Pick<SecondFactors, 'of'>
  readonly proveFactor: ProveFactor
}

type Confirming = {
  readonly userId: UserId
  readonly factors: OwnFactors
  readonly address: string
  readonly ceremony: Ceremony
}

/**
 * Checks that the person who changes a second factor is its owner: an open session and the password must not be enough to take over the
 * account. Returns whether two-step verification was on.
 */
export const createConfirmOwnFactors = ({ confirmOwnPassword, secondFactors, proveFactor }: ConfirmOwnFactorsDeps) => {
  const prove = async ({ userId, factors, address, ceremony }: Confirming, metadata: EventMetadata) => {
    const { code, assertion } = factors
    if (assertion) return proveFactor.byPasskey({ userId, address }, ceremony, assertion, metadata)
    if (code !== undefined) return proveFactor.byCode({ userId, address }, code, metadata)
    return rejected(secondFactorNeeded)
  }

  return async (confirming: Confirming, metadata: EventMetadata): Promise<Result<{ wasOn: boolean }, ApiError>> => {
    const { userId, factors } = confirming
    const confirmed = await confirmOwnPassword(userId, factors.password)
    if (!confirmed.ok) return confirmed
    if (!isOn(await secondFactors.of(userId))) return ok({ wasOn: false })
    const proved = await prove(confirming, metadata)
    return proved.ok ? ok({ wasOn: true }) : proved
  }
}
export type ConfirmOwnFactors = ReturnType<typeof createConfirmOwnFactors>
