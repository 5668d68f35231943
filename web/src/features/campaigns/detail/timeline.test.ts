import * as fc from 'fast-check'
import { dateInIndia } from '@portal/contracts/shared/india-time'
import { afterEach, describe, expect, it } from 'vitest'
import { endSession, startSession } from '../../../lib/session.ts'
import { aUser } from '../../../testing/fake-portal.ts'
import { exactTime } from '../../../ui/time.tsx'
import { daySlots, minuteSlots, summaryOf } from './timeline.ts'

const sentAt = '2026-11-21T10:00:30.000Z'
const after = (ms: number) => new Date(Date.parse(sentAt) + ms).toISOString()
const minuteMs = 60_000
const sum = (slots: readonly { readonly delivered: number; readonly reads: number }[]) =>
  slots.reduce((total, { delivered, reads }) => total + delivered + reads, 0)

afterEach(() => endSession('logged-out'))

describe('deliveries and reads over time', () => {
  it('fill the minutes of the first hour, and the days between the first and the last', () => {
    const slots = minuteSlots(
      [
        { at: after(0), delivered: 5, reads: 1 },
        { at: after(3 * minuteMs), delivered: 0, reads: 2 },
      ],
      sentAt,
    )
    expect(slots).toHaveLength(60)
    expect(slots.slice(0, 5).map(({ delivered, reads }) => [delivered, reads])).toEqual([
      [5, 1],
      [0, 0],
      [0, 0],
      [0, 2],
      [0, 0],
    ])

    const days = [
      { at: '2026-11-20T18:30:00.000Z', delivered: 7, reads: 0 },
      { at: '2026-11-22T18:30:00.000Z', delivered: 0, reads: 3 },
    ]
    expect(daySlots(days)).toEqual([
      { label: 'Nov 21', delivered: 7, reads: 0 },
      { label: 'Nov 22', delivered: 0, reads: 0 },
      { label: 'Nov 23', delivered: 0, reads: 3 },
    ])
    expect(daySlots([])).toEqual([])
  })

  it('[D-13] belong to the day that the time of the send names', () => {
    startSession({ user: aUser({ role: 'admin' }), token: 'token-1' })
    const anyTime = fc.date({ min: new Date('2026-01-01'), max: new Date('2027-12-31'), noInvalidDate: true })
    fc.assert(
      fc.property(anyTime, (sent) => {
        // The server counts by days of India.
        const at = new Date(`${dateInIndia(sent.getTime())}T00:00+05:30`).toISOString()
        const [day] = daySlots([{ at, delivered: 1, reads: 0 }])
        expect(exactTime(sent.toISOString()).startsWith(`${day?.label},`)).toBe(true)
      }),
    )
  })

  it('lose no number, and are summarized in a sentence', () => {
    const points = fc.array(
      fc.record({
        at: fc.integer({ min: 0, max: 59 }).map((n) => after(n * minuteMs)),
        delivered: fc.nat(99),
        reads: fc.nat(99),
      }),
    )
    fc.assert(
      fc.property(points, (given) => {
        expect(sum(minuteSlots(given, sentAt))).toBe(sum(given))
        expect(sum(daySlots(given))).toBe(sum(given))
      }),
    )

    expect(summaryOf([{ label: '0', delivered: 1_200, reads: 1 }], 'in the first hour')).toBe(
      '1,200 deliveries and 1 read in the first hour.',
    )
  })
})
