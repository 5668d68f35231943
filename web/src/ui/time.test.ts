import { describe, expect, it } from 'vitest'
import { dayText, exactTime, relativeTime } from './time.tsx'

const now = new Date(2026, 10, 21, 14, 30)
const ago = (minutes: number) => relativeTime(new Date(now.getTime() - minutes * 60_000).toISOString(), now.getTime())

describe('time formats', () => {
  it.each([
    [-5, 'Just now'],
    [0.5, 'Just now'],
    [3, '3 min'],
    [59.9, '59 min'],
    [60, '1 h'],
    [23 * 60, '23 h'],
    [24 * 60, '1 d'],
    [6.5 * 24 * 60, '6 d'],
    [8 * 24 * 60, 'Nov 13'],
    [400 * 24 * 60, 'Oct 17, 2025'],
  ])('shows %d minutes ago as %s', (minutes, expected) => {
    expect(ago(minutes)).toBe(expected)
  })

  it('[D-5] show the exact time, or that a date is invalid', () => {
    expect(exactTime(now.toISOString())).toBe('Nov 21, 2026 • 2:30 PM')
    expect(exactTime('yesterday')).toBe('Invalid date')
    expect(relativeTime('yesterday', now.getTime())).toBe('Invalid date')
  })

  it('show a plain date as the same day in every time zone', () => {
    expect(dayText('2026-12-05')).toBe('Dec 5, 2026')
    expect(dayText(new Date(2026, 11, 5, 9).toISOString())).toBe('Dec 5, 2026')
    expect(dayText('soon')).toBe('Invalid date')
  })
})
