import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { AttemptLimit, AttemptLimiter, AttemptLimiters, RejectionCounter } from './port.ts'

/** The attempts in a window and the time until it ends. */
export type Count = readonly [attempts: number, leftMs: number]

/** Counts attempts in the memory of this process or in Redis. */
export type Counters = {
  /**
   * Adds `change` atomically, unless the sum would exceed `max`. Returns the sum in either case. The first addition opens a
   * window; a subtraction opens none and stops at 0.
   */
  add(key: string, change: number, windowSeconds: number, max: number): Promise<Count>
  /** Null if no window is open. */
  read(key: string): Promise<Count | null>
  /** Returns the number of removed keys. */
  remove(key: string): Promise<number>
}

type LimitersOptions = {
  /** The counters of a limit. */
  readonly counters: (name: string) => Counters
  /** Counts while `counters` fails. */
  readonly insurance?: ((name: string) => Counters) | undefined
  /** Builds the key of a counter. A key that leaves the process must not identify a person. */
  readonly keyOf?: ((name: string, key: string) => string) | undefined
  readonly rejectionsOf?: ((name: string) => RejectionCounter) | undefined
}

const secondsOf = (ms: number): number => Math.max(1, Math.ceil(ms / 1_000))

export const createLimiters = (options: LimitersOptions): AttemptLimiters => {
  const { counters, insurance, keyOf = (_name, key) => key, rejectionsOf } = options

  const limiterOn = (store: Counters, { max, windowMs }: AttemptLimit, insuranceLimiter?: RateLimiterRedis) =>
    new RateLimiterRedis({
      storeClient: storeClientOf(store),
      useRedisPackage: true,
      keyPrefix: '',
      points: max,
      // A duration of 0 would mean that the window never ends.
      duration: Math.max(1, Math.ceil(windowMs / 1_000)),
      ...(insuranceLimiter && { insuranceLimiter }),
    })

  return {
    of: (name, limit): AttemptLimiter => {
      const limiter = limiterOn(counters(name), limit, insurance && limiterOn(insurance(name), limit))
      const rejections = rejectionsOf?.(name)
      return {
        attempt: async (key) => {
          try {
            await limiter.consume(keyOf(name, key))
            return undefined
          } catch (rejected) {
            if (!(rejected instanceof RateLimiterRes)) throw rejected
            rejections?.inc()
            return secondsOf(rejected.msBeforeNext)
          }
        },
        waitSeconds: async (key) => {
          const count = await limiter.get(keyOf(name, key))
          return count && count.consumedPoints >= limit.max ? secondsOf(count.msBeforeNext) : undefined
        },
        refund: async (key) => void (await limiter.reward(keyOf(name, key))),
        reset: async (key) => void (await limiter.delete(keyOf(name, key))),
      }
    },
  }
}

type Evaluation = { readonly keys: readonly string[]; readonly arguments: readonly string[] }

/**
 * Adapts counters to the store that RateLimiterRedis expects with `useRedisPackage`: eval, multi and del of the package `redis`. Both
 * adapters use it: our Redis connection has a timeout per call, and the library's memory limiter has neither a key limit nor a
 * clock option.
 */
const storeClientOf = (counters: Counters) => ({
  eval: (_source: string, { keys: [key = ''], arguments: [change, windowSeconds, max] }: Evaluation) =>
    counters.add(key, Number(change), Number(windowSeconds), Number(max)),

  multi: () => {
    let read = ''
    const commands = {
      get: (key: string) => {
        read = key
        return commands
      },
      pTTL: () => commands,
      exec: async () => (await counters.read(read)) ?? [null, 0],
    }
    return commands
  },

  del: (key: string) => counters.remove(key),
})
