import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { Counters } from './counters.ts'
import type { AttemptLimit, AttemptLimiter, AttemptLimiters } from './port.ts'
import { storeClientOf } from './store-client.ts'

export type LimitersOptions = {
  /** Of a limit by this name. */
  readonly counters: (name: string) => Counters
  /** What counts while `counters` fails. */
  readonly insurance?: ((name: string) => Counters) | undefined
  /** How a counter is called: never by anything that identifies a person where it leaves the process. */
  readonly keyOf?: ((name: string, key: string) => string) | undefined
  readonly onRefused?: ((name: string) => void) | undefined
}

const secondsOf = (ms: number): number => Math.max(1, Math.ceil(ms / 1_000))

export const createLimiters = (options: LimitersOptions): AttemptLimiters => {
  const { counters, insurance, keyOf = (_name, key) => key, onRefused } = options

  const limiterOn = (store: Counters, { most, windowMs }: AttemptLimit, insuranceLimiter?: RateLimiterRedis) =>
    new RateLimiterRedis({
      storeClient: storeClientOf(store),
      useRedisPackage: true,
      keyPrefix: '',
      points: most,
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
          } catch (refused) {
            if (!(refused instanceof RateLimiterRes)) throw refused
            onRefused?.(name)
            return secondsOf(refused.msBeforeNext)
          }
        },
        waitSeconds: async (key) => {
          const count = await limiter.get(keyOf(name, key))
          return count && count.consumedPoints >= limit.most ? secondsOf(count.msBeforeNext) : undefined
        },
        takeBack: async (key) => void (await limiter.reward(keyOf(name, key))),
        forget: async (key) => void (await limiter.delete(keyOf(name, key))),
      }
    },
  }
}
