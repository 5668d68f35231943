import { expect, it } from 'vitest'
import { linesBetween } from './watch-clock.ts'

const minuteMs = 60_000
const before = { wallMs: Date.parse('2026-03-01T10:00:00Z'), elapsedMs: 5_000 }
const after = (wallMs: number, elapsedMs: number) =>
  linesBetween(before, { wallMs: before.wallMs + wallMs, elapsedMs: before.elapsedMs + elapsedMs })

it.each([
  ['a poll that is a little late', 1_900, 1_900, []],
  ['a clock that is corrected by a second', 0, 1_000, []],
  [
    'a clock that is set back',
    1_000 - minuteMs,
    1_000,
    [{ text: 'the clock of this machine went back', fields: { jumpMs: -minuteMs } }],
  ],
  [
    'a clock that is set forward',
    1_000 + minuteMs,
    1_000,
    [{ text: 'the clock of this machine went forward, or it slept', fields: { jumpMs: minuteMs } }],
  ],
  ['a stopped process', 31_000, 31_000, [{ text: 'the process did not run', fields: { pausedMs: 30_000 } }]],
  [
    'a stopped process while the clock is set back',
    31_000 - minuteMs,
    31_000,
    [
      { text: 'the process did not run', fields: { pausedMs: 30_000 } },
      { text: 'the clock of this machine went back', fields: { jumpMs: -minuteMs } },
    ],
  ],
])('[O12] %s has its lines in the log', (_what, wallMs, elapsedMs, lines) => {
  expect(after(wallMs, elapsedMs)).toEqual(lines)
})
