import type { Logger } from 'pino'
import { z } from 'zod'
import { parseRedisAddress } from '../read-model/redis/address.ts'
import { type Connection, type ConnectionTimes, openConnection } from '../read-model/redis/connection.ts'
import { readingScript, script } from '../read-model/redis/client.ts'
import { type Counters, createLimiters } from './limiters.ts'
import { memoryCountersByName } from './memory.ts'
import type { AttemptLimiters, RejectionCounter } from './port.ts'

/** KEYS: the counter. ARGV: the change, the window in seconds, the maximum. Returns the count and the milliseconds left. */
const addScript = script(`
local change, windowMs, most = tonumber(ARGV[1]), 1000 * tonumber(ARGV[2]), tonumber(ARGV[3])
local leftMs = redis.call('PTTL', KEYS[1])
local isOpen = leftMs > 0
local before = isOpen and tonumber(redis.call('GET', KEYS[1])) or 0
local attempts = math.max(0, before + change)
if not isOpen then leftMs = windowMs end
if change > 0 and attempts > most then return { attempts, leftMs } end
if isOpen then redis.call('INCRBY', KEYS[1], attempts - before)
elseif change > 0 then redis.call('SET', KEYS[1], attempts, 'PX', windowMs) end
return { attempts, leftMs }
`)

const readScript = readingScript(`return { tonumber(redis.call('GET', KEYS[1])) or 0, redis.call('PTTL', KEYS[1]) }`)

const countSchema = z.tuple([z.number().int(), z.number().int()])

/** Counts for all processes. Each counter expires with its window, so unused keys need no memory. */
export const createRedisCounters = (connection: Pick<Connection, 'run' | 'send'>): Counters => ({
  add: async (key, change, windowSeconds, max) =>
    countSchema.parse(await connection.run(addScript, [key], [change, windowSeconds, max].map(String))),
  read: async (key) => {
    const count = countSchema.parse(await connection.run(readScript, [key], []))
    return count[1] > 0 ? count : null
  },
  remove: async (key) => z.number().parse(await connection.send(key, ['DEL', key])),
})

type RedisLimitersOptions = {
  readonly url: string
  /** A keyed hash, because keys are e-mail addresses, phone numbers and IP addresses. */
  readonly hashOf: (key: string) => string
  readonly elapsedMs: () => number
  readonly logger: Logger
  readonly rejectionsOf?: ((name: string) => RejectionCounter) | undefined
  /** Called for each attempt that Redis could not count. */
  readonly onFallback?: (() => void) | undefined
  readonly times?: ConnectionTimes
}

/** Short, because a login waits for it. */
const defaultTimes: ConnectionTimes = { deadlineMs: 1_000, silentAfterMs: 500, renewAfterMs: 2_500, closeMs: 2_000 }

/**
 * Limits that all processes share. While Redis is unavailable, each process counts in its own memory: the limits multiply by the number
 * of processes, but no request is rejected because of the outage.
 */
export const openRedisLimiters = async (
  options: RedisLimitersOptions,
): Promise<AttemptLimiters & { close(): Promise<void> }> => {
  const { url, hashOf, elapsedMs, logger, rejectionsOf, onFallback, times = defaultTimes } = options
  const address = parseRedisAddress(url)
  const connection = await openConnection(address, times)
  const redisCounters = createRedisCounters(connection)
  let isUnavailable = false

  const logAvailability = async <T>(count: Promise<T>): Promise<T> => {
    try {
      const counted = await count
      if (isUnavailable) logger.info('redis available again, counting limits there')
      isUnavailable = false
      return counted
    } catch (err) {
      if (!isUnavailable) logger.warn({ err }, 'redis unavailable, counting limits in memory')
      isUnavailable = true
      onFallback?.()
      throw err
    }
  }
  const counters: Counters = {
    add: (...given) => logAvailability(redisCounters.add(...given)),
    read: (key) => logAvailability(redisCounters.read(key)),
    remove: (key) => logAvailability(redisCounters.remove(key)),
  }

  const limiters = createLimiters({
    counters: () => counters,
    insurance: memoryCountersByName(elapsedMs).of,
    keyOf: (name, key) => `{${address.prefix}:limits:${name}:${hashOf(key)}}`,
    rejectionsOf,
  })
  return { ...limiters, close: () => connection.close() }
}
