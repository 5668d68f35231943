import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextTickMs, secondsUntil } from './use-countdown.ts'

describe('the countdown to the next resend', () => {
  it('starts with the whole wait and ends at 0', () => {
    expect(secondsUntil(30_000, 0)).toBe(30)
    expect(secondsUntil(30_000, 29_001)).toBe(1)
    expect(secondsUntil(30_000, 30_000)).toBe(0)
    expect(secondsUntil(30_000, 99_000)).toBe(0)
  })

  it('ticks exactly when the displayed number changes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 120_000 }), fc.nat(120_000), (leftMs, nowMs) => {
        const fromMs = nowMs + leftMs
        const wait = nextTickMs(fromMs, nowMs) ?? 0
        expect(secondsUntil(fromMs, nowMs + wait)).toBe(secondsUntil(fromMs, nowMs) - 1)
        expect(secondsUntil(fromMs, nowMs + wait - 1)).toBe(secondsUntil(fromMs, nowMs))
      }),
    )
  })

  it('does not tick after the end', () => {
    expect(nextTickMs(30_000, 30_000)).toBeUndefined()
    expect(nextTickMs(30_000, 99_000)).toBeUndefined()
  })
})
