import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { AttemptLimit, AttemptLimiter, AttemptLimiters } from './port.ts'

/** How many attempts a window has and how long it lasts. */
export type Count = readonly [attempts: number, leftMs: number]

/** Where attempts are counted: the memory of this process, or Redis. */
export type Counters = {
  /**
   * Adds `change` in one atomic step, unless that makes more than `most`. Answers the count it came to, or would have come to. A
   * window begins with the first addition; a subtraction begins none and leaves at least 0.
   */
  add(key: string, change: number, windowSeconds: number, most: number): Promise<Count>
  /** Null where no window is open. */
  read(key: string): Promise<Count | null>
  /** How many keys were removed. */
  remove(key: string): Promise<number>
}

type LimitersOptions = {
  /** Of a limit by this name. */
  readonly counters: (name: string) => Counters
  /** What counts while `counters` fails. */
  readonly insurance?: ((name: string) => Counters) | undefined
  /** How a counter is called: never by anything that identifies a person where it leaves the process. */
  readonly keyOf?: ((name: string, key: string) => string) | undefined
  readonly onRejected?: ((name: string) => void) | undefined
}

const secondsOf = (ms: number): number => Math.max(1, Math.ceil(ms / 1_000))

export const createLimiters = (options: LimitersOptions): AttemptLimiters => {
  const { counters, insurance, keyOf = (_name, key) => key, onRejected } = options

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
      return {
        attempt: async (key) => {
          try {
            await limiter.consume(keyOf(name, key))
            return undefined
          } catch (rejected) {
            if (!(rejected instanceof RateLimiterRes)) throw rejected
            onRejected?.(name)
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
 * Counters as rate-limiter-flexible's RateLimiterRedis calls its store (`useRedisPackage`): eval, multi and del of the package `redis`.
 * Both adapters go through it: over Redis our own connection bounds each call, which the package does not; and the library's memory
 * limiter has no bound on its keys and takes no clock.
 */
const storeClientOf = (counters: Counters) => ({
  eval: (_source: string, { keys: [key = ''], arguments: [change, windowSeconds, most] }: Evaluation) =>
    counters.add(key, Number(change), Number(windowSeconds), Number(most)),

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
