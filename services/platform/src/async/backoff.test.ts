import { describe, expect, it } from 'vitest'
import { createBackoff, retryUntilAborted } from './backoff.ts'
import { createVirtualTimers } from '@portal/platform/testing/async/virtual-timers'

/** Work that fails `failures` times, and the times at which it was attempted. */
const createFlakyWork = (failures: number) => {
  const { timers, advance } = createVirtualTimers()
  const stopping = new AbortController()
  const attemptsAtMs: number[] = []
  const reported: [unknown, number][] = []
  const work = async (): Promise<string> => {
    attemptsAtMs.push(timers.elapsedMs())
    if (attemptsAtMs.length <= failures) throw new Error(`failure ${attemptsAtMs.length}`)
    return 'done'
  }
  const backoff = createBackoff({ firstMs: 100, maxMs: 300, timers })
  const retry = (onFailure = (error: unknown, count: number) => void reported.push([error, count])) =>
    retryUntilAborted(work, { signal: stopping.signal, backoff, onFailure })
  return { advance, attemptsAtMs, reported, retry, stopping }
}

describe('a backoff', () => {
  it('doubles each pause up to the maximum, and starts over after a reset', async () => {
    const { timers, advance } = createVirtualTimers()
    const { signal } = new AbortController()
    const backoff = createBackoff({ firstMs: 100, maxMs: 300, timers })
    const pauseMs = async () => {
      const startedAtMs = timers.elapsedMs()
      let endedAtMs = 0
      void backoff.pause(signal).then(() => (endedAtMs = timers.elapsedMs()))
      await advance(1_000)
      return endedAtMs - startedAtMs
    }
    expect([await pauseMs(), await pauseMs(), await pauseMs(), await pauseMs()]).toEqual([100, 200, 300, 300])
    backoff.reset()
    expect(await pauseMs()).toBe(100)
  })

  it('resolves a pause early when the signal aborts', async () => {
    const { timers } = createVirtualTimers()
    const stopping = new AbortController()
    const pausing = createBackoff({ firstMs: 100, maxMs: 300, timers }).pause(stopping.signal)
    stopping.abort()
    await expect(pausing).resolves.toBeUndefined()
  })
})

describe('retryUntilAborted', () => {
  it('resolves with the result of the first attempt that succeeds', async () => {
    const { advance, attemptsAtMs, reported, retry } = createFlakyWork(3)
    const retrying = retry()
    await advance(1_000)
    expect(await retrying).toBe('done')
    expect(attemptsAtMs).toEqual([0, 100, 300, 600])
    expect(reported.map(([error, count]) => [String(error), count])).toEqual([
      ['Error: failure 1', 1],
      ['Error: failure 2', 2],
      ['Error: failure 3', 3],
    ])
  })

  it('resolves with undefined when the signal aborts during a pause', async () => {
    const { advance, attemptsAtMs, retry, stopping } = createFlakyWork(Number.POSITIVE_INFINITY)
    const retrying = retry()
    await advance(150)
    stopping.abort()
    expect(await retrying).toBeUndefined()
    expect(attemptsAtMs).toEqual([0, 100])
  })

  it('makes no attempt after the signal has aborted, and reports no failure of one that was running', async () => {
    const { attemptsAtMs, reported, retry, stopping } = createFlakyWork(Number.POSITIVE_INFINITY)
    const retrying = retry()
    stopping.abort()
    expect(await retrying).toBeUndefined()
    expect(await retry()).toBeUndefined()
    expect(attemptsAtMs).toEqual([0])
    expect(reported).toEqual([])
  })

  it('ends with an error that the failure handler throws', async () => {
    const { attemptsAtMs, retry } = createFlakyWork(1)
    const giveUp = (error: unknown) => {
      throw error
    }
    await expect(retry(giveUp)).rejects.toThrow('failure 1')
    expect(attemptsAtMs).toEqual([0])
  })
})
