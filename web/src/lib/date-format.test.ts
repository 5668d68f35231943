import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { aUser } from '../testing/fake-portal.ts'
import { clockTime, monthDay, monthDayYear, plainDate, startOfDate, weekdayMonthDay } from './date-format.ts'
import { endSession, startSession } from './session.ts'

const formats: readonly [(date: Date) => string, Intl.DateTimeFormatOptions][] = [
  [monthDay, { month: 'short', day: 'numeric' }],
  [monthDayYear, { month: 'short', day: 'numeric', year: 'numeric' }],
  [weekdayMonthDay, { weekday: 'long', month: 'long', day: 'numeric' }],
  [clockTime, { hour: 'numeric', minute: '2-digit' }],
]
const anyDate = fc.date({ min: new Date('1970-01-02'), max: new Date('2199-12-30'), noInvalidDate: true })

const startAdminSession = () => startSession({ user: aUser({ role: 'admin' }), token: 'token-1' })
afterEach(() => endSession('logged-out'))

const startLearnerSession = () => startSession({ user: aUser(), token: 'token-1' })

const deviceZone = process.env['TZ']
afterAll(() => {
  process.env['TZ'] = deviceZone
})

describe.each([
  ['a learner reads dates in the zone of the device', startLearnerSession, 'Asia/Kolkata', 'Asia/Kolkata'],
  ['a learner reads dates in the zone of the device', startLearnerSession, 'America/New_York', 'America/New_York'],
  // Its clocks change by half an hour.
  [
    'a learner reads dates in the zone of the device',
    startLearnerSession,
    'Australia/Lord_Howe',
    'Australia/Lord_Howe',
  ],
  ['[D-13] an admin reads dates in India Standard Time', startAdminSession, 'America/New_York', 'Asia/Kolkata'],
])('%s', (_, start, device, timeZone) => {
  beforeAll(() => {
    process.env['TZ'] = device
  })

  it.each(formats)('%o writes any date as the browser does', (format, options) => {
    start()
    const browserFormat = new Intl.DateTimeFormat('en-US', { ...options, timeZone })
    // Newer ICU data puts a narrow no-break space before AM and PM.
    const expected = (date: Date) => browserFormat.format(date).replaceAll(/\s/gu, ' ')
    fc.assert(
      fc.property(anyDate, (date) => {
        expect(format(date)).toBe(expected(date))
      }),
    )
  })

  it('a plain date is the same day, and starts it', () => {
    start()
    fc.assert(
      fc.property(anyDate, (date) => {
        const plain = plainDate(date)
        const first = startOfDate(plain)
        expect(first.getTime()).toBeLessThanOrEqual(date.getTime())
        expect(plainDate(first)).toBe(plain)
        expect(plainDate(new Date(first.getTime() - 1))).not.toBe(plain)
      }),
    )
  })
})

it('writes noon and midnight as 12', () => {
  expect(clockTime(new Date('2026-11-21T00:00'))).toBe('12:00 AM')
  expect(clockTime(new Date('2026-11-21T12:05'))).toBe('12:05 PM')
})
