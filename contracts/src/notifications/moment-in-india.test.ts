import { expect, it } from 'vitest'
import { momentInIndia } from './moment-in-india.ts'

it.each([
  ['2026-12-01T03:30:00.000Z', 'Dec 1, 2026, 9:00 AM IST'],
  ['2026-09-30T18:30:00.000Z', 'Oct 1, 2026, 12:00 AM IST'],
  ['2027-09-28T07:05:59.999Z', 'Sep 28, 2027, 12:35 PM IST'],
])('writes the moment %s as %s', (at, text) => {
  expect(momentInIndia(Date.parse(at))).toBe(text)
})
