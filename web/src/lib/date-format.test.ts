import fc from 'fast-check'
import { expect, it } from 'vitest'
import { clockTime, monthDay, monthDayYear, weekdayMonthDay } from './date-format.ts'

const formats: readonly [(date: Date) => string, Intl.DateTimeFormatOptions][] = [
  [monthDay, { month: 'short', day: 'numeric' }],
  [monthDayYear, { month: 'short', day: 'numeric', year: 'numeric' }],
  [weekdayMonthDay, { weekday: 'long', month: 'long', day: 'numeric' }],
  [clockTime, { hour: 'numeric', minute: '2-digit' }],
]
const anyDate = fc.date({ min: new Date('1970-01-02'), max: new Date('2199-12-30'), noInvalidDate: true })

it.each(formats)('%o writes any date as the browser does', (format, options) => {
  const browserFormat = new Intl.DateTimeFormat('en-US', options)
  // Newer ICU data puts a narrow no-break space before AM and PM.
  const expected = (date: Date) => browserFormat.format(date).replaceAll(/\s/gu, ' ')
  fc.assert(
    fc.property(anyDate, (date) => {
      expect(format(date)).toBe(expected(date))
    }),
  )
})

it('writes noon and midnight as 12', () => {
  expect(clockTime(new Date('2026-11-21T00:00'))).toBe('12:00 AM')
  expect(clockTime(new Date('2026-11-21T12:05'))).toBe('12:05 PM')
})
