import { expect, it } from 'vitest'
import { countdown, fieldsOf, firstFields, ownTime, sendAtMsOf } from './send-time.ts'

const at = (text: string): number => Date.parse(text)

it('reads and writes the fields in India Standard Time', () => {
  const fields = { date: '2026-12-01', time: '00:15' }
  expect(sendAtMsOf(fields)).toBe(at('2026-11-30T18:45:00.000Z'))
  expect(fieldsOf(at('2026-11-30T18:45:59.000Z'))).toEqual(fields)
  for (const wrong of [
    { date: '', time: '' },
    { date: '2026-12-01', time: '' },
    { date: '', time: '09:00' },
  ])
    expect(sendAtMsOf(wrong)).toBeUndefined()
})

it.each([
  ['2026-11-30T16:00:00Z', '2026-12-01'],
  ['2026-11-30T20:00:00Z', '2026-12-01'],
  ['2026-12-01T02:30:00Z', '2026-12-01'],
  ['2026-12-01T02:30:01Z', '2026-12-02'],
])('begins, at %s, with 9 AM of %s', (now, date) => {
  expect(firstFields(at(now))).toEqual({ date, time: '09:00' })
})

it('says the time of the device if it is another one, with summer time', () => {
  const zone = process.env['TZ']
  try {
    process.env['TZ'] = 'Asia/Kolkata'
    expect(ownTime(at('2026-12-01T03:30:00Z'))).toBeUndefined()
    process.env['TZ'] = 'America/New_York'
    expect(ownTime(at('2026-12-01T03:30:00Z'))).toBe('Nov 30, 10:30 PM EST')
    expect(ownTime(at('2027-06-01T03:30:00Z'))).toBe('May 31, 11:30 PM EDT')
  } finally {
    process.env['TZ'] = zone
  }
})

it.each([
  [-1, 'due now'],
  [0, 'due now'],
  [1, 'in 1 min'],
  [60_001, 'in 2 min'],
  [3_600_000, 'in 1 h'],
  [12_000_000, 'in 3 h 20 min'],
  [86_400_000, 'in 1 d'],
  [190_000_000, 'in 2 d 4 h'],
])('counts down %d ms as %s', (ms, text) => {
  expect(countdown(ms, 0)).toBe(text)
})
