import { describe, expect, it } from 'vitest'
import { dayName, timeOrDate } from './time.tsx'

const at = (day: number, hour: number, month = 10, year = 2026) => new Date(year, month, day, hour)
const nameOf = (date: Date, now = at(21, 0)) => dayName(date.toISOString(), now.getTime())

describe('the name of a day', () => {
  it.each([
    [at(21, 0), 'Today'],
    [at(21, 23), 'Today'],
    [at(20, 23), 'Yesterday'],
    [at(19, 12), 'Nov 19'],
    [at(31, 12, 11, 2025), 'Dec 31, 2025'],
  ])('of %s is %s', (date, name) => {
    expect(nameOf(date)).toBe(name)
  })

  it('knows the last day of the month before', () => {
    expect(nameOf(at(28, 12, 1), at(1, 8, 2))).toBe('Yesterday')
  })

  it('is unknown for an invalid time', () => {
    expect(dayName('yesterday', at(21, 0).getTime())).toBeUndefined()
  })
})

describe('a time that is usually of today', () => {
  it('has a date only on another day', () => {
    const today = at(21, 0).getTime()
    expect(timeOrDate(at(21, 9).toISOString(), today)).toBe('9:00 AM')
    expect(timeOrDate(at(20, 23).toISOString(), today)).toBe('Nov 20, 2026 • 11:00 PM')
  })
})
