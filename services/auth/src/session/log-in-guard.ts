import { ok, rejected, type Result } from '@portal/platform/decider/result'
import type { Refusal } from '@portal/platform/http/handler'
import { attemptAll, takeBackAll } from '@portal/platform/limits/attempt-all'
import type { AttemptLimiter } from '@portal/platform/limits/port'
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

/** An attempt that was let through. It counts as a failure until one of these is called. */
export type BegunLogIn = {
  /** The password was right. Answers why it is refused all the same. */
  succeed(): Promise<Refusal | undefined>
  /** The password was not checked. */
  cancel(): Promise<void>
}

const acquaintancesRemembered = 100_000

/**
 * Bounds wrong passwords. Right ones do not count for an address, so a campus behind one can log in all at once. What strangers
 * guess from elsewhere does not keep out an owner at an address that they have logged in from before.
 */
export const createLogInGuard = ({ perEmailAndAddress, perEmail, perAddress, successesPerEmail }: Limiters) => {
  const acquaintances = createRecentKeys(acquaintancesRemembered)
  const pairOf = ({ emailIndex, address }: LogInAttempt) => `${emailIndex} ${address}`

  return {
    /** Counts the attempt before its password is checked: of a thousand sent at once, no more are checked than of a thousand in a row. */
    begin: async (attempt: LogInAttempt): Promise<Result<BegunLogIn, Refusal>> => {
      const { emailIndex, address } = attempt
      const pair = pairOf(attempt)
      const counted = [
        { limiter: perEmailAndAddress, key: pair },
        ...(acquaintances.has(pair) ? [] : [{ limiter: perEmail, key: emailIndex }]),
        { limiter: perAddress, key: address },
      ]
      const wait = await attemptAll(counted)
      if (wait !== undefined) return rejected(tooManyFailures(wait))
      const cancel = () => takeBackAll(counted)
      const successesWait = await successesPerEmail.waitSeconds(emailIndex)
      if (successesWait !== undefined) {
        await cancel()
        return rejected(tooManyLogIns(successesWait))
      }
      const succeed = async (): Promise<Refusal | undefined> => {
        await cancel()
        acquaintances.note(pair)
        const tooMany = await successesPerEmail.attempt(emailIndex)
        return tooMany === undefined ? undefined : tooManyLogIns(tooMany)
      }
      return ok({ succeed, cancel })
    },
    /** For a caller who has shown in another way that the account is theirs. What the address did to other accounts stays counted. */
    lift: async (attempt: LogInAttempt): Promise<void> => {
      await Promise.all([perEmailAndAddress.forget(pairOf(attempt)), perEmail.forget(attempt.emailIndex)])
      acquaintances.note(pairOf(attempt))
    },
  }
}
export type LogInGuard = ReturnType<typeof createLogInGuard>
