import type { CampaignProgress } from '@portal/contracts/notifications/sent-item'
import { notificationIdSchema } from '@portal/contracts/shared/ids'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  deliveryStates,
  describeProgress,
  distributionText,
  mergeProgress,
  segmentsOf,
  smallestShare,
} from './progress.ts'

const notificationId = notificationIdSchema.parse('01890000-0000-7000-8000-000000000001')
const progress = (counts: Partial<CampaignProgress>): CampaignProgress => {
  const all = { pending: 0, live: 0, pushed: 0, skipped: 0, failed: 0, cancelled: 0, read: 0, ...counts }
  return { notificationId, targeted: deliveryStates.reduce((sum, state) => sum + all[state], 0), ...all }
}
const counts = fc
  .record(Object.fromEntries(deliveryStates.map((state) => [state, fc.nat(10_000)])))
  .map((record) => progress(record))

describe('the bar of a campaign', () => {
  it('shows the states in a fixed order without gaps', () => {
    const segments = segmentsOf(progress({ live: 50, pushed: 25, pending: 25 }))
    expect(segments.map(({ state, start, share }) => [state, start, share])).toEqual([
      ['live', 0, 0.5],
      ['pushed', 0.5, 0.25],
      ['pending', 0.75, 0.25],
      ['skipped', 1, 0],
      ['failed', 1, 0],
      ['cancelled', 1, 0],
    ])
  })

  it('makes one failure among 10,000 visible, and is empty without recipients', () => {
    const failed = segmentsOf(progress({ live: 9_999, failed: 1 })).find(({ state }) => state === 'failed')
    expect(failed?.share).toBeCloseTo(smallestShare)
    expect(segmentsOf(progress({})).every(({ share }) => share === 0)).toBe(true)
  })

  it('is always filled exactly, and shows every non-empty state', () => {
    fc.assert(
      fc.property(counts, (given) => {
        fc.pre(given.targeted > 0)
        const segments = segmentsOf(given)
        expect(segments.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 9)
        let end = 0
        for (const { state, start, share } of segments) {
          expect(start).toBeCloseTo(end, 9)
          expect(share === 0).toBe(given[state] === 0)
          expect(share === 0 || share >= smallestShare - 1e-9).toBe(true)
          end = start + share
        }
      }),
    )
  })
})

describe('merging two reports', () => {
  it('gives the same result in any order and with duplicates', () => {
    const recipients = 10
    type Step =
      | 'distribute'
      | 'live'
      | 'skipped'
      | 'failed'
      | 'cancelled'
      | 'read'
      | 'recall'
      | 'withhold'
      | 'resend'
      | 'postpone'
      | 'email'
    const next = (now: CampaignProgress, step: Step): CampaignProgress => {
      switch (step) {
        case 'distribute': {
          const { distributed = recipients, ...rest } = now
          return distributed + 1 < recipients ? { ...rest, distributed: distributed + 1 } : rest
        }
        case 'read':
          return { ...now, read: now.read + 1 }
        case 'email':
          return { ...now, emailed: (now.emailed ?? 0) + 1 }
        case 'recall':
          return { ...now, recalled: (now.recalled ?? 0) + 1 }
        case 'withhold':
          if (now.pending === 0) return now
          return { ...now, cancelled: now.cancelled + 1, pending: now.pending - 1, withheld: (now.withheld ?? 0) + 1 }
        case 'resend':
          if (now.failed === 0) return now
          return { ...now, failed: now.failed - 1, pending: now.pending + 1, resent: (now.resent ?? 0) + 1 }
        case 'postpone': {
          const postponed = Math.min(now.pending, (now.postponed ?? 0) + 1)
          return postponed === 0 ? now : { ...now, postponed, postponedUntil: '2026-11-22T01:30:00.000Z' }
        }
        default: {
          if (now.pending === 0) return now
          const { postponed = 0, postponedUntil, ...others } = now
          const waiting = postponed > 1 ? { postponed: postponed - 1, postponedUntil } : {}
          return { ...others, ...waiting, [step]: now[step] + 1, pending: now.pending - 1 }
        }
      }
    }
    const steps = fc.array(
      fc.constantFrom<Step>(
        'distribute',
        'live',
        'skipped',
        'failed',
        'cancelled',
        'read',
        'recall',
        'withhold',
        'resend',
        'email',
        'postpone',
      ),
      { maxLength: 40 },
    )
    const history = steps.map((taken) => {
      let now: CampaignProgress = { ...progress({ pending: recipients }), distributed: 0 }
      return [now, ...taken.map((step) => (now = next(now, step)))]
    })
    fc.assert(
      fc.property(
        history.chain((reports) => fc.tuple(fc.constant(reports), fc.shuffledSubarray([...reports, ...reports]))),
        ([reports, arrived]) => {
          const last = reports.at(-1)
          if (!last) return
          expect(arrived.reduce(mergeProgress, last)).toEqual(last)
          expect(mergeProgress([...arrived].reduce(mergeProgress, last), last)).toEqual(last)
        },
      ),
    )
  })

  it('results in the newer one in either order', () => {
    const before = progress({ pending: 8, live: 2, read: 1 })
    const after = progress({ pending: 5, live: 3, failed: 2, read: 2 })
    expect(mergeProgress(before, after)).toEqual(after)
    expect(mergeProgress(after, before)).toEqual(after)
  })
})

describe('the text of a bar', () => {
  it('names the non-empty states', () => {
    expect(describeProgress(progress({ live: 1_200, pending: 3 }))).toBe(
      '1,203 recipients: 1,200 live, 3 pending, 0 read',
    )
    expect(describeProgress(progress({ skipped: 1 }))).toBe('1 recipient: 1 in inbox, 0 read')
    expect(describeProgress({ ...progress({ skipped: 5 }), emailed: 3 })).toBe(
      '5 recipients: 5 in inbox, 3 told by email, 0 read',
    )
  })

  it('says how many are held, and until when', () => {
    const held = { ...progress({ pending: 3 }), postponed: 2, postponedUntil: new Date(2026, 10, 22, 7).toISOString() }
    expect(describeProgress(held)).toBe('3 recipients: 3 pending, 2 held until Nov 22, 7:00 AM, 0 read')
  })
})

describe('the text about a campaign whose recipients do not all have it yet', () => {
  it('says how many inboxes have it', () => {
    const large = { ...progress({ pending: 120_000 }), distributed: 34_500 }
    expect(distributionText(large)).toBe('Delivering to inboxes: 34,500 of 120,000')
    expect(distributionText({ ...large, distributed: 120_000 })).toBeUndefined()
    expect(distributionText(progress({ pending: 3 }))).toBeUndefined()
  })
})
