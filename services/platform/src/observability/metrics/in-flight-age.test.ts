import { describe, expect, it } from 'vitest'
import { createInFlightAge } from './in-flight-age.ts'

describe('what a consumer has in hand', () => {
  let nowMs = 0
  const start = () => {
    nowMs = 100_000
    return createInFlightAge(() => nowMs)
  }

  it('is as old as its oldest message, and nothing once it has been handled', () => {
    const inHand = start()
    expect(inHand.oldestMs()).toBe(0)
    inHand.taken('0', 99_000)
    inHand.taken('1', 70_000)
    expect(inHand.oldestMs()).toBe(30_000)
    inHand.done('1')
    expect(inHand.oldestMs()).toBe(1_000)
    inHand.done('0')
    expect(inHand.oldestMs()).toBe(0)
  })
  it('grows older while it hangs, or comes again', () => {
    const inHand = start()
    inHand.taken('0', 99_000)
    nowMs += 3_600_000
    expect(inHand.oldestMs()).toBe(3_601_000)
    inHand.rejected('0')
    nowMs += 5_000
    expect(inHand.oldestMs()).toBe(3_606_000)
  })
  it('is no longer ours when it does not come again: another process has the partition', () => {
    const inHand = start()
    inHand.taken('0', 99_000)
    inHand.rejected('0')
    nowMs += 61_000
    expect(inHand.oldestMs()).toBe(0)
  })
})
