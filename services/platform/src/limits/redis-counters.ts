import { z } from 'zod'
import type { Connection } from '../read-model/redis/connection.ts'
import { readingScript, script } from '../read-model/redis/script.ts'
import type { Counters } from './counters.ts'

/** KEYS: the counter. ARGV: the change, the window in seconds, the most attempts. Answers the count and the milliseconds left. */
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

/** Counts for all processes. Each counter expires with its window, so abandoned keys take no room. */
export const createRedisCounters = (connection: Pick<Connection, 'run' | 'send'>): Counters => ({
  add: async (key, change, windowSeconds, most) =>
    countSchema.parse(await connection.run(addScript, [key], [change, windowSeconds, most].map(String))),
  read: async (key) => {
    const count = countSchema.parse(await connection.run(readScript, [key], []))
    return count[1] > 0 ? count : null
  },
  remove: async (key) => z.number().parse(await connection.send(key, ['DEL', key])),
})
