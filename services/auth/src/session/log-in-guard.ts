import type { Refusal } from '@portal/platform/http/handler'
import { type AttemptLimiter, longestWait } from '@portal/platform/limits/attempt-limiter'
import { createRecentKeys } from '../limits/recent-keys.ts'
import { tooManyFailures, tooManyLogIns } from './refusals.ts'

type Limiters = {
  readonly perEmailAndAddress: AttemptLimiter
  readonly perEmail: AttemptLimiter
  readonly perAddress: AttemptLimiter
  /** Of those that succeeded: each costs a hash and an event. */
  readonly successesPerEmail: AttemptLimiter
}

export type LogInAttempt = { readonly emailIndex: string; readonly address: string }

const acquaintancesRemembered = 100_000

/**
 * Bounds wrong passwords. Right ones do not count for an address, so a campus behind one can log in all at once. What strangers
 * guess from elsewhere does not keep out an owner at an address that they have logged in from before.
 */
export const createLogInGuard = ({ perEmailAndAddress, perEmail, perAddress, successesPerEmail }: Limiters) => {
  const acquaintances = createRecentKeys(acquaintancesRemembered)
  const pairOf = ({ emailIndex, address }: LogInAttempt) => `${emailIndex} ${address}`

  return {
    /** Why this attempt is not let through now. */
    refusalOf: (attempt: LogInAttempt): Refusal | undefined => {
      const { emailIndex, address } = attempt
      const pair = pairOf(attempt)
      const failuresWait = longestWait(
        perEmailAndAddress.waitSeconds(pair),
        acquaintances.has(pair) ? undefined : perEmail.waitSeconds(emailIndex),
        perAddress.waitSeconds(address),
      )
      if (failuresWait !== undefined) return tooManyFailures(failuresWait)
      const successesWait = successesPerEmail.waitSeconds(emailIndex)
      return successesWait === undefined ? undefined : tooManyLogIns(successesWait)
    },
    countFailure: (attempt: LogInAttempt): void => {
      perEmailAndAddress.count(pairOf(attempt))
      perEmail.count(attempt.emailIndex)
      perAddress.count(attempt.address)
    },
    countSuccess: (attempt: LogInAttempt): void => {
      successesPerEmail.count(attempt.emailIndex)
      acquaintances.note(pairOf(attempt))
    },
    /** For whoever has shown in another way that the account is theirs. What the address did to other accounts stays counted. */
    lift: (attempt: LogInAttempt): void => {
      perEmailAndAddress.forget(pairOf(attempt))
      perEmail.forget(attempt.emailIndex)
      acquaintances.note(pairOf(attempt))
    },
  }
}
export type LogInGuard = ReturnType<typeof createLogInGuard>
