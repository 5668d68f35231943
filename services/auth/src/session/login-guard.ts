import { busy, tooManyFailedLogins, tooManyLogins } from '@portal/contracts/auth/errors'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import type { ApiError } from '@portal/platform/http/handler'
import { attemptAll, type AttemptLimiter, type Counted, refundAll } from '@portal/platform/limits/port'
import { boundedCache } from '@portal/platform/cache/bounded-cache'
import { afterWait } from '../after-wait.ts'
import type { DelayRule, ProgressiveDelay } from './progressive-delay.ts'

type Limiters = {
  readonly perEmailAndAddress: AttemptLimiter
  /** Limits with growing windows, so that persistent guessing waits longer each time. */
  readonly perEmail: readonly AttemptLimiter[]
  readonly perAddress: AttemptLimiter
  readonly perDevice: AttemptLimiter
  /** Counts successful logins: each costs a hash and an event. */
  readonly successesPerEmail: AttemptLimiter
}
type LoginGuardDeps = Limiters & { readonly progressiveDelay: ProgressiveDelay }

type LoginAttempt = {
  readonly emailIndex: string
  readonly address: string
  /** A device that the account has logged in from before (known-device.ts). */
  readonly device?: string | undefined
}

/** A permitted attempt. It counts as a failure until `succeed` or `cancel` is called. */
type PendingLogin = {
  /** The password was right. Resolves with an error if the login is rejected anyway. */
  succeed(): Promise<ApiError | undefined>
  /** The password was wrong, or the account does not exist. */
  fail(): void
  /** The password was not checked. */
  cancel(): Promise<void>
}

const maxKnownAddresses = 100_000
/** Failures of unknown devices without a delay. A whole campus may share an address. */
const delayPerEmail = { free: 8, maxWaiting: 10 }
const delayPerAddress = { free: 100, maxWaiting: 100 }

/**
 * Limits wrong passwords. Right ones do not count per address, so a whole campus can log in at once. A known device has
 * its own limit, so strangers cannot lock out the owner. Unknown devices are delayed before they are rejected.
 */
export const createLoginGuard = (deps: LoginGuardDeps) => {
  const { perEmailAndAddress, perEmail, perAddress, perDevice, successesPerEmail, progressiveDelay } = deps
  /** Addresses that each account last logged in from. In memory of each process, empty after a restart. */
  const knownAddresses = boundedCache<string, true>(maxKnownAddresses)
  const pairOf = ({ emailIndex, address }: LoginAttempt) => `${emailIndex} ${address}`
  /** Guesses from elsewhere neither count nor delay here: the limit per account and address is enough. */
  const isKnownAddress = (attempt: LoginAttempt): boolean => knownAddresses.has(pairOf(attempt))

  const countedFor = (attempt: LoginAttempt): readonly Counted[] => {
    const { emailIndex, address, device } = attempt
    if (device !== undefined) return [{ limiter: perDevice, key: `${emailIndex} ${device}` }]
    const pair = pairOf(attempt)
    return [
      { limiter: perEmailAndAddress, key: pair },
      ...(isKnownAddress(attempt) ? [] : perEmail.map((limiter) => ({ limiter, key: emailIndex }))),
      { limiter: perAddress, key: address },
    ]
  }
  const delayRulesFor = (attempt: LoginAttempt): readonly DelayRule[] => {
    const { emailIndex, address, device } = attempt
    if (device !== undefined) return []
    return [
      ...(isKnownAddress(attempt) ? [] : [{ key: `email ${emailIndex}`, ...delayPerEmail }]),
      { key: `address ${address}`, ...delayPerAddress },
    ]
  }

  return {
    /** Counts the attempt before the password check, so that concurrent requests cannot exceed the limit. */
    begin: async (attempt: LoginAttempt): Promise<Result<PendingLogin, ApiError>> => {
      const { emailIndex } = attempt
      const counted = countedFor(attempt)
      const wait = await attemptAll(counted)
      if (wait !== undefined) return rejected(afterWait(tooManyFailedLogins, wait))
      const cancel = () => refundAll(counted)
      const successesWait = await successesPerEmail.waitSeconds(emailIndex)
      if (successesWait !== undefined) {
        await cancel()
        return rejected(afterWait(tooManyLogins, successesWait))
      }
      const rules = delayRulesFor(attempt)
      if (!(await progressiveDelay.wait(rules))) {
        await cancel()
        return rejected(busy)
      }
      const succeed = async (): Promise<ApiError | undefined> => {
        await cancel()
        knownAddresses.set(pairOf(attempt), true)
        const waitSeconds = await successesPerEmail.attempt(emailIndex)
        return waitSeconds === undefined ? undefined : afterWait(tooManyLogins, waitSeconds)
      }
      return ok({ succeed, fail: () => progressiveDelay.recordFailure(rules), cancel })
    },
    /**
     * Clears the failures of a caller who proved ownership in another way. Those of the address with other accounts
     * still count.
     */
    clearFailures: async (attempt: LoginAttempt): Promise<void> => {
      const { emailIndex } = attempt
      await Promise.all([
        perEmailAndAddress.reset(pairOf(attempt)),
        ...perEmail.map((limiter) => limiter.reset(emailIndex)),
      ])
      progressiveDelay.reset(`email ${emailIndex}`)
      knownAddresses.set(pairOf(attempt), true)
    },
  }
}
export type LoginGuard = ReturnType<typeof createLoginGuard>
