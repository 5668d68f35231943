import { createHmac, randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { createClient } from 'redis'
import { afterEach, describe, expect, inject, it } from 'vitest'
import { makeOwnServer, type OwnServer } from '@portal/platform/testing/read-model/redis/own-server'
import { limitersContract } from '@portal/platform/testing/limits/contract'
import type { ConnectionTimes } from '../read-model/redis/connection.ts'
import { openRedisLimiters } from './redis.ts'
import { until } from '../../testing/until.ts'

const logger = pino({ level: 'silent' })
const hashOf = (key: string): string => createHmac('sha256', 'a key of this test').update(key).digest('base64url')
const elapsedMs = () => performance.now()

/** Redis has its own clock, so this ends the windows of a prefix earlier. */
const shortenWindows = async (url: string, prefix: string, seconds: number): Promise<void> => {
  const client = createClient({ url })
  await client.connect()
  for await (const keys of client.scanIterator({ MATCH: `{${prefix}:*`, COUNT: 1_000 }))
    for (const key of keys) await client.pExpire(key, (await client.pTTL(key)) - 1_000 * seconds)
  await client.close()
}

limitersContract('Redis', async () => {
  const [server, prefix] = [inject('redisUrl'), `t${randomUUID()}`]
  const url = `${server}/?prefix=${prefix}`
  const [limiters, others] = await Promise.all([1, 2].map(() => openRedisLimiters({ url, hashOf, elapsedMs, logger })))
  if (!limiters || !others) throw new Error('two limiters were opened')
  return {
    limiters,
    others,
    pass: (seconds) => shortenWindows(server, prefix, seconds),
    dispose: async () => {
      await Promise.all([limiters.close(), others.close()])
    },
  }
})

describe('limits in Redis', () => {
  let server: OwnServer
  const toClose: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of toClose.splice(0).toReversed()) await close()
    await server.dispose()
  })

  it('continue in memory during a Redis outage, reject no request because of it, and return to Redis afterwards', async () => {
    server = await makeOwnServer()
    await server.start()
    let fallbacks = 0
    // Only a stopped server has a short deadline. A slow one has time.
    let deadlineMs = 20_000
    const others = { silentAfterMs: 50, renewAfterMs: 1_000, closeMs: 100 }
    const times: ConnectionTimes = {
      ...others,
      get deadlineMs() {
        return deadlineMs
      },
    }
    const onFallback = () => void fallbacks++
    const limiters = await openRedisLimiters({ url: server.url, hashOf, elapsedMs, logger, times, onFallback })
    toClose.push(limiters.close)
    const limiter = limiters.of('logIns', { max: 3, windowMs: 60_000 })
    for (let n = 0; n < 3; n++) await limiter.attempt('ann')
    expect(await limiter.attempt('ann')).toBeDefined()
    expect(fallbacks).toBe(0)

    server.signal('SIGSTOP')
    deadlineMs = 100
    expect(await limiter.attempt('bob')).toBeUndefined()
    expect(await limiter.waitSeconds('bob')).toBeUndefined()
    const waits = []
    for (let n = 0; n < 4; n++) waits.push(await limiter.attempt('bob'))
    expect(waits.map((wait) => wait === undefined)).toEqual([true, true, false, false])
    await limiter.refund('bob')
    await limiter.reset('bob')
    expect(fallbacks).toBeGreaterThan(5)

    server.signal('SIGCONT')
    deadlineMs = 20_000
    // The counters from before the outage apply again.
    await until(async () => {
      const before = fallbacks
      expect(await limiter.attempt('ann')).toBeDefined()
      expect(fallbacks).toBe(before)
    })
  })

  it('use keyed hashes as keys, and expire with their window', async () => {
    server = await makeOwnServer()
    await server.start()
    const limiters = await openRedisLimiters({ url: server.url, hashOf, elapsedMs, logger })
    toClose.push(limiters.close)
    const limiter = limiters.of('logIns', { max: 3, windowMs: 60_000 })
    await limiter.attempt('ann@example.com')
    await limiter.refund('bob@example.com')
    await limiter.waitSeconds('bob@example.com')
    const key = `{portal:limits:logIns:${hashOf('ann@example.com')}}`
    expect(await server.command('KEYS', '*')).toEqual([key])
    const leftMs = Number(await server.command('PTTL', key))
    expect(leftMs).toBeGreaterThan(0)
    expect(leftMs).toBeLessThanOrEqual(60_000)
  })
})
