import { describe, expect, it } from 'vitest'
import { quietUntil } from './quiet-hours.ts'

const endOf = (from: string, to: string, timeZone: string, at: string): string | undefined =>
  quietUntil({ from, to, timeZone }, new Date(at))?.toISOString()

describe('quiet hours', () => {
  it('last from the first time to before the second one, on the same day or over midnight', () => {
    const day = (at: string) => endOf('13:00', '14:30', 'Asia/Kolkata', at)
    expect(day('2026-11-29T07:29:59.999Z')).toBeUndefined()
    expect(day('2026-11-29T07:30:00.000Z')).toBe('2026-11-29T09:00:00.000Z')
    expect(day('2026-11-29T08:59:59.999Z')).toBe('2026-11-29T09:00:00.000Z')
    expect(day('2026-11-29T09:00:00.000Z')).toBeUndefined()
    const night = (at: string) => endOf('22:00', '07:00', 'Asia/Calcutta', at)
    expect(night('2026-11-29T16:29:59.999Z')).toBeUndefined()
    expect(night('2026-11-29T16:30:00.000Z')).toBe('2026-11-30T01:30:00.000Z')
    expect(night('2026-11-29T23:00:00.000Z')).toBe('2026-11-30T01:30:00.000Z')
    expect(night('2026-11-30T01:30:00.000Z')).toBeUndefined()
    expect(endOf('22:00', '00:00', 'Asia/Kolkata', '2026-11-29T17:00:00.000Z')).toBe('2026-11-29T18:30:00.000Z')
  })

  it('follow the clocks of their zone', () => {
    const at = '2026-07-01T05:30:00.000Z'
    expect(endOf('22:00', '07:00', 'America/New_York', at)).toBe('2026-07-01T11:00:00.000Z')
    expect(endOf('22:00', '07:00', 'Europe/London', at)).toBe('2026-07-01T06:00:00.000Z')
    expect(endOf('22:00', '07:00', 'Asia/Kathmandu', at)).toBeUndefined()
  })

  it('end an hour earlier or later by UTC in the night in which clocks are set', () => {
    const night = (at: string) => endOf('22:00', '07:00', 'Europe/Berlin', at)
    expect(night('2026-03-28T22:00:00.000Z')).toBe('2026-03-29T05:00:00.000Z')
    expect(night('2026-10-24T22:00:00.000Z')).toBe('2026-10-25T06:00:00.000Z')
    expect(endOf('22:00', '07:00', 'Australia/Lord_Howe', '2026-04-04T12:00:00.000Z')).toBe('2026-04-04T20:30:00.000Z')
  })

  it('that end in a skipped hour end where it is skipped, and those inside are none', () => {
    const before = '2026-03-29T00:59:00.000Z'
    expect(endOf('22:00', '02:30', 'Europe/Berlin', before)).toBe('2026-03-29T01:00:00.000Z')
    expect(endOf('02:10', '02:50', 'Europe/Berlin', '2026-03-29T01:00:00.000Z')).toBeUndefined()
  })

  it('in a repeated hour are quiet twice, and end before it if they begin in it', () => {
    expect(endOf('22:00', '02:30', 'Europe/Berlin', '2026-10-24T23:00:00.000Z')).toBe('2026-10-25T00:30:00.000Z')
    expect(endOf('22:00', '02:30', 'Europe/Berlin', '2026-10-25T01:10:00.000Z')).toBe('2026-10-25T01:30:00.000Z')
    expect(endOf('02:40', '07:00', 'Europe/Berlin', '2026-10-25T00:50:00.000Z')).toBe('2026-10-25T01:00:00.000Z')
    expect(endOf('02:40', '07:00', 'Europe/Berlin', '2026-10-25T01:40:00.000Z')).toBe('2026-10-25T06:00:00.000Z')
  })
})
