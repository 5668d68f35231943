import { expect, it } from 'vitest'
import { dateInIndia, dateTimeInIndia } from './india-time.ts'

it('is five and a half hours ahead of UTC, in winter and in summer', () => {
  const lastMomentOfDay = Date.parse('2026-11-21T18:29:59.999Z')
  expect(dateInIndia(lastMomentOfDay)).toBe('2026-11-21')
  expect(dateInIndia(lastMomentOfDay + 1)).toBe('2026-11-22')
  expect(dateTimeInIndia(lastMomentOfDay)).toBe('2026-11-21 23:59:59')
  expect(dateTimeInIndia(Date.parse('2026-06-30T20:00:00.000Z'))).toBe('2026-07-01 01:30:00')
})
