import type { Logger } from 'pino'
import { parseRedisAddress } from '../read-model/redis/address.ts'
import { type ConnectionTimes, openConnection } from '../read-model/redis/connection.ts'
import type { Counters } from './counters.ts'
import { createLimiters } from './limiters.ts'
import { memoryCountersByName } from './memory-counters.ts'
import type { AttemptLimiters } from './port.ts'
import { createRedisCounters } from './redis-counters.ts'

export type RedisLimitersOptions = {
  readonly url: string
  /** A keyed hash, because keys are e-mail addresses, phone numbers and network addresses. */
  readonly hashOf: (key: string) => string
  readonly elapsedMs: () => number
  readonly logger: Logger
  readonly onRefused?: ((name: string) => void) | undefined
  /** For each attempt that Redis did not count. */
  readonly onFallback?: (() => void) | undefined
  readonly times?: ConnectionTimes
}

/** Short, because a log-in waits for it. */
const usualTimes: ConnectionTimes = { deadlineMs: 1_000, silentAfterMs: 500, renewAfterMs: 15_000, closeMs: 2_000 }

/**
 * Limits that all processes count together. While Redis is unavailable each process counts in its own memory: limits then allow that
 * many times more, and refuse nobody for the outage.
 */
export const openRedisLimiters = async (
  options: RedisLimitersOptions,
): Promise<AttemptLimiters & { close(): Promise<void> }> => {
  const { url, hashOf, elapsedMs, logger, onRefused, onFallback, times = usualTimes } = options
  const address = parseRedisAddress(url)
  const connection = await openConnection(address, times)
  const redisCounters = createRedisCounters(connection)
  let isAway = false

  const noting = async <T>(count: Promise<T>): Promise<T> => {
    try {
      const counted = await count
      if (isAway) logger.info('redis available again, limits are counted there')
      isAway = false
      return counted
    } catch (err) {
      if (!isAway) logger.warn({ err }, 'redis unavailable, limits are counted in the memory of this process')
      isAway = true
      onFallback?.()
      throw err
    }
  }
  const counters: Counters = {
    add: (...given) => noting(redisCounters.add(...given)),
    read: (key) => noting(redisCounters.read(key)),
    remove: (key) => noting(redisCounters.remove(key)),
  }

  const limiters = createLimiters({
    counters: () => counters,
    insurance: memoryCountersByName(elapsedMs),
    keyOf: (name, key) => `{${address.prefix}:limits:${name}:${hashOf(key)}}`,
    onRefused,
  })
  return { ...limiters, close: () => connection.close() }
}
