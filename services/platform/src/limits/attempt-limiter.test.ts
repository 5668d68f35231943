import { expect, test } from 'vitest'
import { createAttemptLimiter, longestWait } from './attempt-limiter.ts'

const startLimiter = (keysRemembered?: number) => {
  let elapsedMs = 5_000
  const limiter = createAttemptLimiter({ most: 3, windowMs: 60_000 }, () => elapsedMs, keysRemembered)
  return {
    limiter,
    pass: (seconds: number) => {
      elapsedMs += seconds * 1_000
    },
  }
}

test('there is room until the limit, then a wait until the window ends', () => {
  const { limiter, pass } = startLimiter()
  for (let n = 0; n < 3; n++) {
    expect(limiter.waitSeconds('ann')).toBeUndefined()
    limiter.count('ann')
    pass(10)
  }
  expect(limiter.waitSeconds('ann')).toBe(30)
  pass(29.5)
  expect(limiter.waitSeconds('ann')).toBe(1)
  pass(0.5)
  expect(limiter.waitSeconds('ann')).toBeUndefined()
})

test('a new window starts with the next attempt', () => {
  const { limiter, pass } = startLimiter()
  for (let n = 0; n < 3; n++) limiter.count('ann')
  pass(60)
  limiter.count('ann')
  limiter.count('ann')
  expect(limiter.waitSeconds('ann')).toBeUndefined()
  limiter.count('ann')
  expect(limiter.waitSeconds('ann')).toBe(60)
})

test('one key does not count for another', () => {
  const { limiter } = startLimiter()
  for (let n = 0; n < 5; n++) limiter.count('ann')
  expect(limiter.waitSeconds('bob')).toBeUndefined()
})

test('of several waits the longest counts', () => {
  expect(longestWait(undefined, 3, 12, undefined)).toBe(12)
  expect(longestWait(undefined, undefined)).toBeUndefined()
})

test('an attempt can be taken back', () => {
  const { limiter } = startLimiter()
  limiter.takeBack('ann')
  for (let n = 0; n < 3; n++) limiter.count('ann')
  limiter.takeBack('ann')
  expect(limiter.waitSeconds('ann')).toBeUndefined()
  limiter.count('ann')
  expect(limiter.waitSeconds('ann')).toBe(60)
})

test('all attempts of a key can be forgotten, and of no other', () => {
  const { limiter } = startLimiter()
  for (let n = 0; n < 3; n++) for (const key of ['ann', 'bob']) limiter.count(key)
  limiter.forget('ann')
  limiter.forget('nobody')
  expect(limiter.waitSeconds('ann')).toBeUndefined()
  expect(limiter.waitSeconds('bob')).toBe(60)
})

test('no more keys are remembered than fit, and the oldest are forgotten first', () => {
  const { limiter, pass } = startLimiter(3)
  const exhaust = (key: string) => {
    for (let n = 0; n < 3; n++) limiter.count(key)
  }
  for (const key of ['a', 'b', 'c', 'd']) {
    exhaust(key)
    pass(1)
  }
  expect(['a', 'b', 'c', 'd'].map((key) => limiter.waitSeconds(key) !== undefined)).toEqual([false, true, true, true])
  pass(60)
  exhaust('e')
  expect(['b', 'c', 'd', 'e'].map((key) => limiter.waitSeconds(key))).toEqual([undefined, undefined, undefined, 60])
})
