import { describe, expect, it } from 'vitest'
import { createVirtualTimers } from '@portal/platform/testing/async/virtual-timers'
import { resultWithin, TimeoutError, withTimeout } from './timeout.ts'

const never = new Promise<never>(() => undefined)

describe('withTimeout', () => {
  it('settles as the work does, and leaves no timer behind', async () => {
    const { timers, pendingCount } = createVirtualTimers()
    expect(await withTimeout(Promise.resolve('done'), 100, 'the work', timers)).toBe('done')
    await expect(withTimeout(Promise.reject(new Error('failed')), 100, 'the work', timers)).rejects.toThrow('failed')
    expect(pendingCount()).toBe(0)
  })

  it('rejects with a TimeoutError that names the work', async () => {
    const { timers, advance } = createVirtualTimers()
    const waiting = withTimeout(never, 100, 'the work', timers)
    void advance(100)
    await expect(waiting).rejects.toThrow(new TimeoutError('the work took longer than 100 ms'))
  })
})

describe('resultWithin', () => {
  it('settles as the work does, and leaves no timer behind', async () => {
    const { timers, pendingCount } = createVirtualTimers()
    expect(await resultWithin(Promise.resolve('done'), 100, timers)).toBe('done')
    await expect(resultWithin(Promise.reject(new Error('failed')), 100, timers)).rejects.toThrow('failed')
    expect(pendingCount()).toBe(0)
  })

  it('resolves with undefined after the time limit', async () => {
    const { timers, advance } = createVirtualTimers()
    const waiting = resultWithin(never, 100, timers)
    await advance(100)
    expect(await waiting).toBeUndefined()
  })
})
