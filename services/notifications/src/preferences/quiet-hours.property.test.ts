import type { QuietHours } from '@portal/contracts/notifications/preferences'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { quietUntil } from './quiet-hours.ts'

it('the end of quiet hours is the first moment outside of them, in every zone', () => {
  const timeOf = (minutes: number): string =>
    `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
  const quietHours: fc.Arbitrary<QuietHours> = fc
    .record({
      from: fc.nat(1_439),
      minutes: fc.integer({ min: 1, max: 1_439 }),
      timeZone: fc.constantFrom('Asia/Kolkata', ...Intl.supportedValuesOf('timeZone')),
    })
    .map(({ from, minutes, timeZone }) => ({ from: timeOf(from), to: timeOf((from + minutes) % 1_440), timeZone }))
  const at = fc.date({ min: new Date('2024-01-01'), max: new Date('2038-01-01'), noInvalidDate: true })
  // Ten minutes around the two clock changes of most zones, which few random moments meet.
  const nearChange = fc
    .record({
      change: fc.constantFrom('2026-03-29T01:00Z', '2026-10-25T01:00Z', '2026-03-08T07:00Z', '2026-11-01T06:00Z'),
      minutes: fc.integer({ min: -1_500, max: 120 }),
    })
    .map(({ change, minutes }) => new Date(Date.parse(change) + minutes * 60_000))
  fc.assert(
    fc.property(
      quietHours,
      fc.oneof(at, nearChange),
      fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
      (hours, moment, share) => {
        const end = quietUntil(hours, moment)
        if (end === undefined) return
        const lastsMs = end.getTime() - moment.getTime()
        expect(lastsMs).toBeGreaterThan(0)
        // Troll in Antarctica sets its clocks by two hours.
        expect(lastsMs).toBeLessThanOrEqual(26 * 3_600_000)
        expect(quietUntil(hours, end)).toBeUndefined()
        for (const inside of [moment.getTime() + Math.floor(share * (lastsMs - 1)), end.getTime() - 1])
          expect(quietUntil(hours, new Date(inside))).toEqual(end)
      },
    ),
  )
})
