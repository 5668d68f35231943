import { afterEach, describe, expect, it } from 'vitest'
import { attemptAll, type AttemptLimiters, longestWait, refundAll } from '../../src/limits/port.ts'

type LimitersUnderTest = {
  readonly limiters: AttemptLimiters
  /** The limiters of another process, which share the counters if the adapter supports several processes. */
  readonly others: AttemptLimiters
  /** Moves the clock of the counters. It may run on by itself, too. */
  pass(seconds: number): Promise<void>
  dispose(): Promise<void>
}

const limit = { max: 3, windowMs: 60_000 }

export const limitersContract = (adapter: string, start: () => Promise<LimitersUnderTest>): void => {
  describe(`limits in ${adapter}`, () => {
    let test: LimitersUnderTest
    afterEach(() => test.dispose())

    it('allow attempts up to the limit, then none until the window ends, which begins with the first attempt', async () => {
      test = await start()
      const limiter = test.limiters.of('logIns', limit)
      expect(await limiter.waitSeconds('ann')).toBeUndefined()
      for (let n = 0; n < 3; n++) expect(await limiter.attempt('ann')).toBeUndefined()
      for (const wait of [await limiter.waitSeconds('ann'), await limiter.attempt('ann')]) {
        expect(wait).toBeLessThanOrEqual(60)
        expect(wait).toBeGreaterThan(40)
      }
      await test.pass(30)
      expect(await limiter.attempt('ann')).toBeLessThanOrEqual(30)
      await test.pass(30)
      expect(await limiter.waitSeconds('ann')).toBeUndefined()
      for (let n = 0; n < 3; n++) expect(await limiter.attempt('ann')).toBeUndefined()
      expect(await limiter.attempt('ann')).toBeGreaterThan(0)
    })

    it('count each key and each name separately', async () => {
      test = await start()
      const limiter = test.limiters.of('logIns', limit)
      for (let n = 0; n < 5; n++) await limiter.attempt('ann')
      expect(await limiter.attempt('ann')).toBeDefined()
      expect(await limiter.attempt('bob')).toBeUndefined()
      expect(await test.limiters.of('registrations', limit).attempt('ann')).toBeUndefined()
    })

    it('count exactly with concurrent attempts of several processes', async () => {
      test = await start()
      const mine = test.limiters.of('logIns', { max: 100, windowMs: 60_000 })
      const others = test.others.of('logIns', { max: 100, windowMs: 60_000 })
      const waits = await Promise.all(
        Array.from({ length: 1_000 }, (_, n) => (n % 2 === 0 ? mine : others).attempt('ann')),
      )
      expect(waits.filter((wait) => wait === undefined)).toHaveLength(100)
      expect(await mine.waitSeconds('ann')).toBeGreaterThan(0)
      expect(await others.waitSeconds('ann')).toBeGreaterThan(0)
    })

    it('refund an attempt, even after rejections, and never below zero', async () => {
      test = await start()
      const limiter = test.limiters.of('logIns', { max: 3, windowMs: 60_000 })
      await limiter.refund('ann')
      for (let n = 0; n < 3; n++) await limiter.attempt('ann')
      for (let n = 0; n < 4; n++) expect(await limiter.attempt('ann')).toBeDefined()
      await limiter.refund('ann')
      expect(await limiter.attempt('ann')).toBeUndefined()
      expect(await limiter.attempt('ann')).toBeDefined()
      for (let n = 0; n < 9; n++) await limiter.refund('ann')
      for (let n = 0; n < 3; n++) expect(await limiter.attempt('ann')).toBeUndefined()
      expect(await limiter.attempt('ann')).toBeDefined()
    })

    it('reset a key, and no other', async () => {
      test = await start()
      const limiter = test.limiters.of('logIns', limit)
      for (let n = 0; n < 3; n++) for (const key of ['ann', 'bob']) await limiter.attempt(key)
      await limiter.reset('ann')
      await limiter.reset('nobody')
      expect(await limiter.waitSeconds('ann')).toBeUndefined()
      expect(await limiter.waitSeconds('bob')).toBeDefined()
    })

    it('count an attempt with all of several limits, or with none', async () => {
      test = await start()
      const perAddress = test.limiters.of('perAddress', { max: 2, windowMs: 60_000 })
      const perEmail = test.limiters.of('perEmail', { max: 1, windowMs: 60_000 })
      const attempts = [
        { limiter: perAddress, key: 'a' },
        { limiter: perEmail, key: 'ann' },
      ]
      expect(await attemptAll(attempts)).toBeUndefined()
      for (let n = 0; n < 3; n++) expect(await attemptAll(attempts)).toBeGreaterThan(0)
      await refundAll(attempts)
      expect(await attemptAll(attempts)).toBeUndefined()
      expect(await perAddress.attempt('a')).toBeUndefined()
      expect(await perAddress.attempt('a')).toBeDefined()
      expect(longestWait(undefined, 3, 12, undefined)).toBe(12)
    })
  })
}
