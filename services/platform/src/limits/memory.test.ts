import { expect, test } from 'vitest'
import { limitersContract } from '@portal/platform/testing/limits/contract'
import { createMemoryLimiters } from './memory.ts'

limitersContract('memory', async () => {
  let nowMs = 5_000
  const limiters = createMemoryLimiters({ elapsedMs: () => nowMs })
  return {
    limiters,
    // In memory, there is only one process.
    others: limiters,
    pass: async (seconds) => {
      nowMs += seconds * 1_000
    },
    dispose: async () => undefined,
  }
})

test('evicts the oldest keys beyond the maximum', async () => {
  let nowMs = 5_000
  const limiter = createMemoryLimiters({ elapsedMs: () => nowMs, maxKeys: 3 }).of('logIns', {
    max: 3,
    windowMs: 60_000,
  })
  const exhaust = async (key: string) => {
    for (let n = 0; n < 3; n++) await limiter.attempt(key)
  }
  const waits = (...keys: string[]) => Promise.all(keys.map((key) => limiter.waitSeconds(key)))
  for (const key of ['a', 'b', 'c', 'd']) {
    await exhaust(key)
    nowMs += 1_000
  }
  expect((await waits('a', 'b', 'c', 'd')).map((wait) => wait !== undefined)).toEqual([false, true, true, true])
  nowMs += 60_000
  await exhaust('e')
  expect(await waits('b', 'c', 'd', 'e')).toEqual([undefined, undefined, undefined, 60])
})

test('counts each rejection under the name of its limit', async () => {
  const refused: string[] = []
  const limiters = createMemoryLimiters({
    elapsedMs: () => 0,
    rejectionsOf: (name) => ({ inc: () => refused.push(name) }),
  })
  const limiter = limiters.of('logIns', { max: 1, windowMs: 1_000 })
  for (let n = 0; n < 3; n++) await limiter.attempt('ann')
  expect(refused).toEqual(['logIns', 'logIns'])
})
