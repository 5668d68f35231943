import { expect, it } from 'vitest'
import { dateInIndia, dateTimeInIndia, momentInIndia } from './india-time.ts'

it('is five and a half hours ahead of UTC, in winter and in summer', () => {
  const lastMomentOfDay = Date.parse('2026-11-21T18:29:59.999Z')
  expect(dateInIndia(lastMomentOfDay)).toBe('2026-11-21')
  expect(dateInIndia(lastMomentOfDay + 1)).toBe('2026-11-22')
  expect(dateTimeInIndia(lastMomentOfDay)).toBe('2026-11-21 23:59:59')
  expect(dateTimeInIndia(Date.parse('2026-06-30T20:00:00.000Z'))).toBe('2026-07-01 01:30:00')
})

it.each([
  ['2026-12-01T03:30:00.000Z', 'Dec 1, 2026, 9:00 AM IST'],
  ['2026-09-30T18:30:00.000Z', 'Oct 1, 2026, 12:00 AM IST'],
  ['2027-09-28T07:05:59.999Z', 'Sep 28, 2027, 12:35 PM IST'],
])('writes the moment %s as %s', (at, text) => {
  expect(momentInIndia(Date.parse(at))).toBe(text)
})
