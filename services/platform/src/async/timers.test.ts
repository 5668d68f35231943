import { describe, expect, it } from 'vitest'
import { createVirtualTimers } from '@portal/platform/testing/async/virtual-timers'
import { sleep, systemTimers, wholeMs } from './timers.ts'

describe('sleep', () => {
  it('resolves after the delay', async () => {
    const { timers, advance } = createVirtualTimers()
    let isAwake = false
    void sleep(100, { timers }).then(() => (isAwake = true))
    await advance(99)
    expect(isAwake).toBe(false)
    await advance(1)
    expect(isAwake).toBe(true)
  })

  it('resolves when the signal aborts, and leaves no timer behind', async () => {
    const { timers, pendingCount } = createVirtualTimers()
    const stopping = new AbortController()
    const sleeping = sleep(100, { timers, signal: stopping.signal })
    expect(pendingCount()).toBe(1)
    stopping.abort()
    await sleeping
    expect(pendingCount()).toBe(0)
  })

  it('resolves immediately when the signal has aborted before', async () => {
    const { timers, pendingCount } = createVirtualTimers()
    await sleep(100, { timers, signal: AbortSignal.abort() })
    expect(pendingCount()).toBe(0)
  })

  it('uses the system clock by default', async () => {
    const startedAtMs = systemTimers.elapsedMs()
    await sleep(20)
    // Timers of Node may fire up to a millisecond early.
    expect(systemTimers.elapsedMs() - startedAtMs).toBeGreaterThanOrEqual(19)
  })
})

it('does not call back a canceled system timer', async () => {
  let isCalled = false
  systemTimers.schedule(() => (isCalled = true), 5)()
  // Timers of the same delay fire in order.
  await sleep(5, { unref: false })
  expect(isCalled).toBe(false)
})

it('a computed delay is rounded up, because Node would cut off its fraction', () => {
  expect([4_899.2, 0.1, 3, -2.5].map(wholeMs)).toEqual([4_900, 1, 3, 0])
})
