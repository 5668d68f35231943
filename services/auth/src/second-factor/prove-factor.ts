import { tooManyChecks } from '@portal/contracts/auth/errors'
import type { SignedByPasskey } from '@portal/contracts/auth/factor-proof'
import type { UserId } from '@portal/contracts/shared/ids'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import type { EventMetadata } from '@portal/platform/event-store/port'
import type { ApiError } from '@portal/platform/http/handler'
import { attemptAll, type AttemptLimiter, type Counted, refundAll } from '@portal/platform/limits/port'
import { afterWait } from '../after-wait.ts'
import type { Ceremony, PasskeyRejection, Passkeys } from './passkeys.ts'
import { apiErrorOf } from './rejections.ts'
import type { SecondFactors } from './second-factors.ts'
import { totpCodeOf } from './totp.ts'

type ProveFactorDeps = {
  readonly secondFactors: Pick<SecondFactors, 'useCode'>
  readonly passkeys: Pick<Passkeys, 'use'>
  readonly limiters: {
    /** Limits guesses of the six digits. Only those who know the password get here. */
    readonly wrongCodesPerUser: readonly AttemptLimiter[]
    /** Recovery codes cannot be guessed, so they work for an owner whose other limit is used up. This limits the work. */
    readonly wrongRecoveryCodesPerUserAndAddress: AttemptLimiter
    /** Signatures cannot be guessed. This limits the work. */
    readonly wrongPasskeysPerUserAndAddress: AttemptLimiter
  }
}

/** Whose factor it is, and the address group of the caller. */
export type Prover = { readonly userId: UserId; readonly address: string }

/** Counts before the check, so that concurrent requests cannot exceed the limit. */
const limited = async (
  counted: readonly Counted[],
  check: () => Promise<Result<unknown, PasskeyRejection>>,
): Promise<Result<void, ApiError>> => {
  const wait = await attemptAll(counted)
  if (wait !== undefined) return rejected(afterWait(tooManyChecks, wait))
  const checked = await check()
  if (!checked.ok) return rejected(apiErrorOf(checked.error))
  await refundAll(counted)
  return ok(undefined)
}

/** Proofs of a second factor, for logins and for changes. Each works once. */
export const createProveFactor = ({ secondFactors, passkeys, limiters }: ProveFactorDeps) => {
  const countedBy = (code: string, { userId, address }: Prover): readonly Counted[] =>
    totpCodeOf(code) === undefined
      ? [{ limiter: limiters.wrongRecoveryCodesPerUserAndAddress, key: `${userId} ${address}` }]
      : limiters.wrongCodesPerUser.map((limiter) => ({ limiter, key: userId }))

  return {
    /** A code of the authenticator app, or a recovery code. */
    byCode: (prover: Prover, code: string, metadata: EventMetadata): Promise<Result<void, ApiError>> =>
      limited(countedBy(code, prover), () => secondFactors.useCode(prover.userId, code, metadata)),

    byPasskey: (
      { userId, address }: Prover,
      ceremony: Ceremony,
      signed: SignedByPasskey,
      metadata: EventMetadata,
    ): Promise<Result<void, ApiError>> => {
      const counted = [{ limiter: limiters.wrongPasskeysPerUserAndAddress, key: `${userId} ${address}` }]
      return limited(counted, () => passkeys.use(userId, ceremony, signed, metadata))
    },
  }
}
export type ProveFactor = ReturnType<typeof createProveFactor>
