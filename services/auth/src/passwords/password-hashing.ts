import { availableParallelism } from 'node:os'
import { busy } from '@portal/contracts/auth/errors'
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

/** argon2id at the cost that OWASP recommends: 19 MiB, two passes, one lane. After a raise, the next login rehashes. */
const recommendedPasswordCost: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * A hash takes about 10 ms of a core. Hashes run on low-priority threads (password-worker.ts), so a wave of logins
 * blocks neither the event loop nor other requests. A full queue rejects new work. Keyboards type é as one character or as two, so
 * passwords are hashed in one form (NFC).
 */
export type PasswordHashing = {
  /** Rejects with PasswordsBusyError if the queue is full, as `verify` does. */
  hash(password: string): Promise<string>
  verify(hash: string, password: string): Promise<'right' | 'wrong'>
  /** Whether the hash has another cost than the current one. */
  needsRehash(hash: string): boolean
  load(): PoolLoad
  close(): Promise<void>
}

export type PasswordHashingOptions = {
  /** Default: one per core, since more would only wait for each other. */
  readonly threads?: number
  readonly maxQueued?: number
  /** Default: the recommended cost. */
  readonly cost?: PasswordCost
  /** Unix niceness of the threads, 0 to 19; see `defaultNiceness`. */
  readonly niceness?: number
}

const maxThreads = 16
/** Three to five seconds of work for two cores. A later caller gets an error instead of a timeout. */
const defaultMaxQueued = 512

/**
 * p99 of an inbox page while logins use two cores, as a multiple of its idle value: 9 at niceness 0, 2 to 3 at 10,
 * under 2 at 15.
 */
const defaultNiceness = 15

export const createPasswordHashing = (options: PasswordHashingOptions = {}): PasswordHashing => {
  const { cost = recommendedPasswordCost } = options
  const pool = openWorkerPool({
    threads: options.threads ?? Math.min(availableParallelism(), maxThreads),
    maxQueued: options.maxQueued ?? defaultMaxQueued,
    niceness: options.niceness ?? defaultNiceness,
  })

  const isRight = async (hash: string, password: string): Promise<boolean> => {
    const outcome = await pool.run({ kind: 'verify', hash, password })
    if (outcome.kind !== 'verified') throw new Error(`Verifying failed: ${reasonOf(outcome)}`)
    return outcome.isRight
  }

  return {
    hash: async (password) => {
      const outcome = await pool.run({ kind: 'hash', password: password.normalize(), cost })
      if (outcome.kind !== 'hashed') throw new Error(`Hashing failed: ${reasonOf(outcome)}`)
      return outcome.hash
    },
    verify: async (hash, password) => {
      const normalized = password.normalize()
      if (await isRight(hash, normalized)) return 'right'
      // Older releases hashed what was typed.
      return normalized !== password && (await isRight(hash, password)) ? 'right' : 'wrong'
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

/** Runs work that hashes or checks a password, and turns PasswordsBusyError into a rejection. */
export const rejectWhenBusy = async <T>(work: () => Promise<Result<T, ApiError>>): Promise<Result<T, ApiError>> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof PasswordsBusyError) return rejected(busy)
    throw error
  }
}
