import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { throttle } from './throttle.ts'

describe('throttle', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  it('runs at once, then at most once per interval, and never loses the last trigger', () => {
    const done: number[] = []
    const startedAt = Date.now()
    const { trigger } = throttle(10_000, () => done.push(Date.now() - startedAt))
    for (let n = 0; n < 25; n++) {
      trigger()
      vi.advanceTimersByTime(1_000)
    }
    vi.advanceTimersByTime(60_000)
    expect(done).toEqual([0, 10_000, 20_000, 30_000])
    trigger()
    expect(done).toHaveLength(5)
  })

  it('does nothing after stop', () => {
    let done = 0
    const { trigger, stop } = throttle(10_000, () => (done += 1))
    trigger()
    trigger()
    stop()
    vi.advanceTimersByTime(60_000)
    expect(done).toBe(1)
  })
})
