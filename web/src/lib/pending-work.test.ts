import { afterEach, describe, expect, test, vi } from 'vitest'
import { addPendingWork, finishPendingWork, isLeavingPage } from './pending-work.ts'

afterEach(() => {
  window.dispatchEvent(new Event('pageshow'))
  vi.restoreAllMocks()
})

describe('pending work', () => {
  test('is done once, however often it is finished', async () => {
    const work = vi.fn<() => void>()
    const { finish } = addPendingWork(work)
    finish()
    finish()
    await finishPendingWork()
    expect(work).toHaveBeenCalledOnce()
  })

  test('is not done after it was canceled', async () => {
    const work = vi.fn<() => void>()
    const { finish, cancel } = addPendingWork(work)
    cancel()
    finish()
    await finishPendingWork()
    expect(work).not.toHaveBeenCalled()
  })

  test('is awaited, also when it was already running', async () => {
    const order: string[] = []
    const { finish } = addPendingWork(async () => {
      await new Promise((resolve) => setTimeout(resolve, 5))
      order.push('work')
    })
    finish()
    await finishPendingWork()
    order.push('after')
    expect(order).toEqual(['work', 'after'])
  })

  test('that fails does not prevent other work', async () => {
    const logged = vi.spyOn(console, 'error').mockReturnValue(undefined)
    const work = vi.fn<() => void>()
    addPendingWork(() => Promise.reject(new Error('broken')))
    addPendingWork(work)
    await finishPendingWork()
    expect(work).toHaveBeenCalledOnce()
    expect(logged).toHaveBeenCalledOnce()
  })

  test.each(['pagehide', 'freeze'])('starts at once when the page ends by %s', (event) => {
    const work = vi.fn<() => boolean>(isLeavingPage)
    addPendingWork(() => void work())
    ;(event === 'freeze' ? document : window).dispatchEvent(new Event(event))
    expect(work).toHaveReturnedWith(true)
    window.dispatchEvent(new Event('pageshow'))
    expect(isLeavingPage()).toBe(false)
  })
})
