import { availableParallelism } from 'node:os'
import { rejected, type Result } from '@portal/platform/decider/decider'
import type { ApiError } from '@portal/platform/http/handler'
import { parseOptions } from '@node-rs/argon2'
import {
  openWorkerPool,
  type PasswordCost,
  type PasswordJobResult,
  PasswordsBusyError,
  type PoolLoad,
} from './worker-pool.ts'

/** argon2id at the cost that OWASP recommends: 19 MiB, two passes, one lane. Raising it rehashes at the next log-in. */
const recommendedPasswordCost: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * Hashing a password is made to be slow: about 10 ms of a whole core. It runs on threads of its own with a low priority
 * (password-worker.ts), so that a wave of log-ins neither blocks the event loop nor takes the cores from other users'
 * requests, and it refuses more than it could answer in good time.
 */
export type PasswordHashing = {
  /** Rejects with PasswordsBusyError when too many are waiting, as `verify` does. */
  hash(password: string): Promise<string>
  verify(hash: string, password: string): Promise<'right' | 'wrong'>
  /** Whether the hash was made at another cost than today's. */
  needsRehash(hash: string): boolean
  load(): PoolLoad
  close(): Promise<void>
}

export type PasswordHashingOptions = {
  /** As many as there are cores where absent: more would only wait for each other. */
  readonly threads?: number
  readonly maxQueued?: number
  /** The recommended one where absent. */
  readonly cost?: PasswordCost
  /** How far its threads stand back, from 0 to 19; see `defaultNiceness`. */
  readonly niceness?: number
}

const maxThreads = 16
/** Three to five seconds of work for two cores: those who come later had better be told. */
const defaultMaxQueued = 512

/**
 * Measured with two cores full of log-ins: an inbox page's p99 is 9 times its idle value at 0, 2 to 3 times at 10, under
 * twice at 15.
 */
const defaultNiceness = 15

export const createPasswordHashing = (options: PasswordHashingOptions = {}): PasswordHashing => {
  const { cost = recommendedPasswordCost } = options
  const pool = openWorkerPool({
    threads: options.threads ?? Math.min(availableParallelism(), maxThreads),
    maxQueued: options.maxQueued ?? defaultMaxQueued,
    niceness: options.niceness ?? defaultNiceness,
  })

  return {
    hash: async (password) => {
      const outcome = await pool.run({ kind: 'hash', password, cost })
      if (outcome.kind !== 'hashed') throw new Error(`Hashing failed: ${reasonOf(outcome)}`)
      return outcome.hash
    },
    verify: async (hash, password) => {
      const outcome = await pool.run({ kind: 'verify', hash, password })
      if (outcome.kind !== 'verified') throw new Error(`Verifying failed: ${reasonOf(outcome)}`)
      return outcome.isRight ? 'right' : 'wrong'
    },
    needsRehash: (hash) => {
      const { memoryCost, timeCost, parallelism } = parseOptions(hash)
      const isCost = memoryCost === cost.memoryCost && timeCost === cost.timeCost && parallelism === cost.parallelism
      return !isCost || !hash.startsWith('$argon2id$')
    },
    load: pool.load,
    close: pool.close,
  }
}

const reasonOf = (outcome: PasswordJobResult): string => (outcome.kind === 'failed' ? outcome.reason : outcome.kind)

export const busy: ApiError = {
  code: 'unavailable',
  message: 'The portal is very busy right now. Please try again in a moment.',
}

/** The outcome of work that hashes or checks a password: refused when too many wait for that. */
export const rejectWhenBusy = async <T>(work: () => Promise<Result<T, ApiError>>): Promise<Result<T, ApiError>> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof PasswordsBusyError) return rejected(busy)
    throw error
  }
}
