import { afterEach, expect, it, vi } from 'vitest'
import { createPositionWaiters } from './position-waiters.ts'
import { readModelLimits } from './limits.ts'

afterEach(() => void vi.useRealTimers())

it('rejects the waits if the position cannot be read', async () => {
  let reads = 0
  const waiters = createPositionWaiters(async () => {
    if (++reads > 2) throw new Error('no connection')
    return undefined
  }, 1)
  await expect(waiters.wait('a', 'p', '1', 30_000)).rejects.toThrow('no connection')
  waiters.close()
})

it('polls for commits of other processes only while a caller waits', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let stored = '1'
  let reads = 0
  const waiters = createPositionWaiters(async () => {
    reads++
    return stored
  }, 1)
  const waiting = waiters.wait('a', 'p', '2', 30_000)
  stored = '2'
  await vi.advanceTimersByTimeAsync(1)
  expect(await waiting).toBe(true)
  const readsSoFar = reads
  await vi.advanceTimersByTimeAsync(60_000)
  expect(reads).toBe(readsSoFar)
  waiters.close()
})

it('limits the number of waiters', async () => {
  const waiters = createPositionWaiters(async () => undefined, 60_000)
  const waiting = Array.from({ length: readModelLimits.waiting }, () => waiters.wait('a', 'p', '1', 60_000))
  await expect(waiters.wait('a', 'p', '1', 60_000)).rejects.toThrow('wait for a projection')
  waiters.applied('a', 'p', '1')
  expect(new Set(await Promise.all(waiting))).toEqual(new Set([true]))
  waiters.close()
})

it('resolves a wait that a commit of this process reached, even if its first read fails', async () => {
  const read = Promise.withResolvers<string | undefined>()
  const waiters = createPositionWaiters(() => read.promise, 60_000)
  const waiting = waiters.wait('a', 'p', '1', 30_000)
  waiters.applied('a', 'p', '1')
  read.reject(new Error('no connection'))
  expect(await waiting).toBe(true)
  waiters.close()
})
