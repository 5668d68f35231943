import type { Logger } from 'pino'
import { z } from 'zod'
import { parseRedisAddress } from '../read-model/redis/address.ts'
import { script } from '../read-model/redis/client.ts'
import { type Connection, type ConnectionTimes, openConnection } from '../read-model/redis/connection.ts'
import { createMemoryAnswers } from './memory.ts'
import { rememberedMs, type RememberedAnswers, runningMs } from './port.ts'

/** KEYS: the action. ARGV: how long it may run, in ms. Returns its answer, '' while it is running, or nil if it has begun. */
const beginScript = script(`
local known = redis.call('GET', KEYS[1])
if known then return known end
redis.call('SET', KEYS[1], '', 'PX', ARGV[1])
return nil
`)
/** ARGV: the answer, and how long it is remembered, in ms. */
const rememberScript = script(`return redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])`)
const forgetScript = script(`return redis.call('DEL', KEYS[1])`)

const begunSchema = z.string().nullable()

/** Remembers answers for all processes. Each entry expires, so the actions of more than ten minutes ago need no memory. */
const createRedisAnswers = (connection: Pick<Connection, 'run'>, prefix: string): RememberedAnswers => {
  const keyOf = (id: string): string => `{${prefix}:answers:${id}}`
  return {
    begin: async (id) => {
      const known = begunSchema.parse(await connection.run(beginScript, [keyOf(id)], [String(runningMs)]))
      if (known === null) return { kind: 'begun' }
      return known === '' ? { kind: 'running' } : { kind: 'answered', answer: known }
    },
    remember: async (id, answer) => {
      await connection.run(rememberScript, [keyOf(id)], [answer, String(rememberedMs)])
    },
    forget: async (id) => {
      await connection.run(forgetScript, [keyOf(id)], [])
    },
  }
}

/** Short, because each change waits for it. */
const defaultTimes: ConnectionTimes = { deadlineMs: 1_000, silentAfterMs: 500, renewAfterMs: 2_500, closeMs: 2_000 }

type Options = {
  readonly url: string
  readonly logger: Pick<Logger, 'info' | 'warn'>
  readonly times?: ConnectionTimes
}

/**
 * Answers that all processes share. While Redis is unavailable, each process remembers its own: a repetition that reaches another one
 * is carried out again, but no change is rejected because of the outage.
 */
export const openRedisAnswers = async ({
  url,
  logger,
  times = defaultTimes,
}: Options): Promise<RememberedAnswers & { close(): Promise<void> }> => {
  const address = parseRedisAddress(url)
  const connection = await openConnection(address, times)
  const shared = createRedisAnswers(connection, address.prefix)
  const own = createMemoryAnswers()
  let isUnavailable = false

  const inEither = async <T>(use: (answers: RememberedAnswers) => Promise<T>): Promise<T> => {
    try {
      const result = await use(shared)
      if (isUnavailable) logger.info('redis available again, remembering answers there')
      isUnavailable = false
      return result
    } catch (err) {
      if (!isUnavailable) logger.warn({ err }, 'redis unavailable, remembering answers in memory')
      isUnavailable = true
      return use(own)
    }
  }
  return {
    begin: (id) => inEither((answers) => answers.begin(id)),
    remember: (id, answer) => inEither((answers) => answers.remember(id, answer)),
    forget: (id) => inEither((answers) => answers.forget(id)),
    close: () => connection.close(),
  }
}
