import { expect, it } from 'vitest'
import { dateOf, dayAt } from './counts.ts'

it.each([
  ['2026-11-20T18:29:59.999Z', '2026-11-20'],
  ['2026-11-20T18:30:00.000Z', '2026-11-21'],
  ['2026-11-21T18:29:59.999Z', '2026-11-21'],
  ['2027-12-31T18:30:00.000Z', '2028-01-01'],
  ['2028-02-28T18:30:00.000Z', '2028-02-29'],
])('%s is the %s in India', (at, date) => {
  expect(dateOf(dayAt(new Date(at)))).toBe(date)
})

it('days follow each other by one', () => {
  const first = dayAt(new Date('2026-11-20T18:30:00.000Z'))
  expect(dayAt(new Date('2026-11-21T18:30:00.000Z'))).toBe(first + 1)
})
