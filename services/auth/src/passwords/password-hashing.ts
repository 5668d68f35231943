import { availableParallelism } from 'node:os'
import { parseOptions } from '@node-rs/argon2'
import { type PasswordCost, recommendedPasswordCost } from './password-cost.ts'
import { openWorkerPool, type PoolLoad } from './worker-pool.ts'

export { PasswordsBusyError } from './worker-pool.ts'

/**
 * Hashing a password is made to be slow: about 10 ms of a whole core. It runs on threads of its own with a low priority
 * (password-worker.ts), so that a wave of log-ins neither blocks the event loop nor takes the cores from other users'
 * requests, and it refuses more than it could answer in good time.
 */
export type PasswordHashing = {
  /** Rejects with PasswordsBusyError when too many are waiting, as `verify` does. */
  hash(password: string): Promise<string>
  /** `isWanted` is asked when its turn comes: while it waited, its caller may have failed too often. */
  verify(hash: string, password: string, isWanted?: () => boolean): Promise<'right' | 'wrong' | 'not-wanted'>
  /** Whether the hash was made at another cost than today's. */
  needsRehash(hash: string): boolean
  load(): PoolLoad
  close(): Promise<void>
}

export type PasswordHashingOptions = {
  /** As many as there are cores where absent: more would only wait for each other. */
  readonly threads?: number
  readonly mostWaiting?: number
  /** The recommended one where absent. */
  readonly cost?: PasswordCost
  /** How far its threads stand back, from 0 to 19; see `defaultNiceness`. */
  readonly niceness?: number
}

const mostThreads = 16
/** Three to five seconds of work for two cores: those who come later had better be told. */
const defaultMostWaiting = 512

/**
 * Measured with two cores full of log-ins: an inbox page's p99 is 9 times its idle value at 0, 2 to 3 times at 10, under
 * twice at 15.
 */
const defaultNiceness = 15

export const createPasswordHashing = (options: PasswordHashingOptions = {}): PasswordHashing => {
  const { cost = recommendedPasswordCost } = options
  const pool = openWorkerPool({
    threads: options.threads ?? Math.min(availableParallelism(), mostThreads),
    mostWaiting: options.mostWaiting ?? defaultMostWaiting,
    niceness: options.niceness ?? defaultNiceness,
  })

  return {
    hash: async (password) => {
      const outcome = await pool.run({ kind: 'hash', password, cost }, () => true)
      if (outcome === 'not-wanted' || outcome.kind !== 'hashed') throw new Error(`Hashing failed: ${reasonOf(outcome)}`)
      return outcome.hash
    },
    verify: async (hash, password, isWanted = () => true) => {
      const outcome = await pool.run({ kind: 'verify', hash, password }, isWanted)
      if (outcome === 'not-wanted') return outcome
      if (outcome.kind !== 'verified') throw new Error(`Verifying failed: ${reasonOf(outcome)}`)
      return outcome.isRight ? 'right' : 'wrong'
    },
    needsRehash: (hash) => {
      const { memoryCost, timeCost, parallelism } = parseOptions(hash)
      const isCost = memoryCost === cost.memoryCost && timeCost === cost.timeCost && parallelism === cost.parallelism
      return !isCost || !hash.startsWith('$argon2id$')
    },
    load: pool.load,
    close: () => pool.close(),
  }
}

const reasonOf = (outcome: { readonly kind: string; readonly reason?: string } | 'not-wanted'): string =>
  typeof outcome === 'string' ? outcome : (outcome.reason ?? outcome.kind)
