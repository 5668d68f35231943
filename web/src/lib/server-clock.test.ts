import { afterEach, beforeEach, expect, it, vi } from 'vitest'

const start = Date.parse('2026-11-21T10:00:00.000Z')
const hourMs = 3_600_000
let clock: typeof import('./server-clock.ts')
let corrections: number

/** The server answers after the request has taken `tookMs`. Its clock is `aheadMs` ahead of the device's. */
const answer = ({ aheadMs = 0, tookMs = 0, writtenAfterMs = 0 }) => {
  const requestedAtMs = Date.now()
  vi.setSystemTime(requestedAtMs + tookMs)
  clock.learnServerTime(new Date(requestedAtMs + writtenAfterMs + aheadMs).toUTCString(), requestedAtMs)
}
const aheadMs = () => clock.serverNowMs() - Date.now()

beforeEach(async () => {
  vi.useFakeTimers({ now: start })
  vi.resetModules()
  clock = await import('./server-clock.ts')
  corrections = 0
  clock.onServerClockCorrection(() => {
    corrections += 1
  })
})
afterEach(() => {
  vi.useRealTimers()
})

it('is the time of the device until an answer shows that it is wrong, in either direction', () => {
  expect(clock.serverNowMs()).toBe(start)
  for (const hours of [5, -5, 48]) {
    answer({ aheadMs: hours * hourMs })
    expect(Math.abs(aheadMs() - hours * hourMs)).toBeLessThanOrEqual(1_000)
  }
  expect(corrections).toBe(3)
})

it('follows a device whose clock is corrected', () => {
  answer({ aheadMs: 5 * hourMs })
  vi.setSystemTime(start + 5 * hourMs)
  answer({})
  expect(Math.abs(aheadMs())).toBeLessThanOrEqual(1_000)
})

it('does not move for seconds, nor for an answer that was long on its way in either direction', () => {
  vi.setSystemTime(start + 700)
  answer({})
  answer({ aheadMs: 4_000 })
  answer({ aheadMs: -4_000 })
  answer({ tookMs: 19_000 })
  answer({ tookMs: 19_000, writtenAfterMs: 19_000 })
  expect([aheadMs(), corrections]).toEqual([0, 0])
})

it('ignores an answer without a valid time', () => {
  clock.learnServerTime(null, start)
  clock.learnServerTime('soon', start)
  expect([aheadMs(), corrections]).toEqual([0, 0])
})
