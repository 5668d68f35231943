import type { Counters } from './counters.ts'

type Evaluation = { readonly keys: readonly string[]; readonly arguments: readonly string[] }

/**
 * Counters as rate-limiter-flexible's RateLimiterRedis calls its store (`useRedisPackage`): eval, multi and del of the package `redis`.
 * Both adapters go through it: over Redis our own connection bounds each call, which the package does not; and the library's memory
 * limiter has no bound on its keys and takes no clock.
 */
export const storeClientOf = (counters: Counters) => ({
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
