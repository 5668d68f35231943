import { expect, it } from 'vitest'
import { timeLeft } from './time-left.ts'

it.each([
  ['2026-11-22T10:00:00.000Z', '24 hours left'],
  ['2026-11-22T09:59:59.999Z', '23 hours left'],
  ['2026-11-21T12:00:00.000Z', '2 hours left'],
  ['2026-11-21T11:59:59.999Z', '1 hour left'],
  ['2026-11-21T10:59:59.999Z', 'Less than an hour left'],
  ['2026-11-21T10:00:00.000Z', 'Less than an hour left'],
  ['2026-11-21T09:59:59.999Z', undefined],
])('until %s is %s', (until, text) => {
  expect(timeLeft(until, Date.parse('2026-11-21T10:00:00.000Z'))).toBe(text)
})
