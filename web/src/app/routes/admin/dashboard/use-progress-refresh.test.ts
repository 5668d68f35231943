import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { throttle } from './use-progress-refresh.ts'

describe('doing something at most so often', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  it('does it at once, then no sooner than allowed, and never loses the last poke', () => {
    const done: number[] = []
    const startedAt = Date.now()
    const { poke } = throttle(10_000, () => done.push(Date.now() - startedAt))
    for (let n = 0; n < 25; n++) {
      poke()
      vi.advanceTimersByTime(1_000)
    }
    vi.advanceTimersByTime(60_000)
    expect(done).toEqual([0, 10_000, 20_000, 30_000])
    poke()
    expect(done).toHaveLength(5)
  })

  it('does nothing more once it is stopped', () => {
    let done = 0
    const { poke, stop } = throttle(10_000, () => (done += 1))
    poke()
    poke()
    stop()
    vi.advanceTimersByTime(60_000)
    expect(done).toBe(1)
  })
})
