import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import type { ApiError } from '@portal/platform/http/handler'
import {
  attemptAll,
  type AttemptLimiter,
  type Counted,
  formatDuration,
  takeBackAll,
} from '@portal/platform/limits/port'
import { LRUCache } from 'lru-cache'
import { busy } from '../passwords/password-hashing.ts'
import type { Slowed, SlowDown } from './slow-down.ts'

type Limiters = {
  readonly perEmailAndAddress: AttemptLimiter
  /** Of growing windows: whoever goes on guessing at an account waits longer each time. */
  readonly perEmail: readonly AttemptLimiter[]
  readonly perAddress: AttemptLimiter
  readonly perDevice: AttemptLimiter
  /** Of those that succeeded: each costs a hash and an event. */
  readonly successesPerEmail: AttemptLimiter
}
type Deps = Limiters & { readonly slowDown: SlowDown }

type LogInAttempt = {
  readonly emailIndex: string
  readonly address: string
  /** A device that the account has logged in with before (known-device.ts). */
  readonly device?: string | undefined
}

/** An attempt that was let through. It counts as a failure until one of these is called. */
type BegunLogIn = {
  /** The password was right. Answers why it is refused all the same. */
  succeed(): Promise<ApiError | undefined>
  /** The password was wrong, or there is no such account. */
  fail(): void
  /** The password was not checked. */
  cancel(): Promise<void>
}

const tooMany = (what: string, retryAfterSeconds: number): ApiError => ({
  code: 'too-many-requests',
  message: `Too many ${what}. Please try again in ${formatDuration(retryAfterSeconds)}.`,
  retryAfterSeconds,
})

const tooManyFailures = (retryAfterSeconds: number): ApiError => tooMany('failed log-ins', retryAfterSeconds)

const tooManyLogIns = (retryAfterSeconds: number): ApiError => tooMany('log-ins', retryAfterSeconds)

const acquaintancesRemembered = 100_000
/** What strangers may fail without a delay. A whole campus may share an address. */
const slowedPerEmail = { free: 8, mostWaiting: 10 }
const slowedPerAddress = { free: 100, mostWaiting: 100 }

/**
 * Bounds wrong passwords. Right ones do not count for an address, so a campus behind one can log in all at once. A device that the
 * account has logged in with before has a limit of its own: whatever strangers do, with the account or from the same address, its
 * owner can log in. Strangers are slowed down before they are refused.
 */
export const createLogInGuard = (deps: Deps) => {
  const { perEmailAndAddress, perEmail, perAddress, perDevice, successesPerEmail, slowDown } = deps
  /** Addresses that an account was last logged in from. In memory: a restart forgets them, and each process has its own. */
  const acquaintances = new LRUCache<string, true>({ max: acquaintancesRemembered })
  const pairOf = ({ emailIndex, address }: LogInAttempt) => `${emailIndex} ${address}`

  const countedFor = (attempt: LogInAttempt): readonly Counted[] => {
    const { emailIndex, address, device } = attempt
    if (device !== undefined) return [{ limiter: perDevice, key: `${emailIndex} ${device}` }]
    const pair = pairOf(attempt)
    return [
      { limiter: perEmailAndAddress, key: pair },
      ...(acquaintances.has(pair) ? [] : perEmail.map((limiter) => ({ limiter, key: emailIndex }))),
      { limiter: perAddress, key: address },
    ]
  }
  const slowedFor = ({ emailIndex, address, device }: LogInAttempt): readonly Slowed[] =>
    device === undefined
      ? [
          { key: `email ${emailIndex}`, ...slowedPerEmail },
          { key: `address ${address}`, ...slowedPerAddress },
        ]
      : []

  return {
    /** Counts the attempt before its password is checked: of a thousand sent at once, no more are checked than of a thousand in a row. */
    begin: async (attempt: LogInAttempt): Promise<Result<BegunLogIn, ApiError>> => {
      const { emailIndex } = attempt
      const counted = countedFor(attempt)
      const wait = await attemptAll(counted)
      if (wait !== undefined) return rejected(tooManyFailures(wait))
      const cancel = () => takeBackAll(counted)
      const successesWait = await successesPerEmail.waitSeconds(emailIndex)
      if (successesWait !== undefined) {
        await cancel()
        return rejected(tooManyLogIns(successesWait))
      }
      const slowed = slowedFor(attempt)
      if (!(await slowDown.before(slowed))) {
        await cancel()
        return rejected(busy)
      }
      const succeed = async (): Promise<ApiError | undefined> => {
        await cancel()
        acquaintances.set(pairOf(attempt), true)
        const waitSeconds = await successesPerEmail.attempt(emailIndex)
        return waitSeconds === undefined ? undefined : tooManyLogIns(waitSeconds)
      }
      return ok({ succeed, fail: () => slowDown.failed(slowed), cancel })
    },
    /** For a caller who has shown in another way that the account is theirs. What the address did to other accounts stays counted. */
    lift: async (attempt: LogInAttempt): Promise<void> => {
      const { emailIndex } = attempt
      await Promise.all([
        perEmailAndAddress.forget(pairOf(attempt)),
        ...perEmail.map((limiter) => limiter.forget(emailIndex)),
      ])
      slowDown.forget(`email ${emailIndex}`)
      acquaintances.set(pairOf(attempt), true)
    },
  }
}
export type LogInGuard = ReturnType<typeof createLogInGuard>
