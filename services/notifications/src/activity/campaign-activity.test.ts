import { describe, expect, it } from 'vitest'
import { notificationIdAt } from '@portal/notifications/testing/samples'
import { activityOf, activityRef, countDeliveries, countRead } from './campaign-activity.ts'
import { readTimeline } from '../history/campaign-timeline.ts'

const id = notificationIdAt(1)
const ref = activityRef('b00', id)
const sentAt = '2026-11-21T10:00:30.000Z'
const after = (minutes: number): string => new Date(Date.parse(sentAt) + minutes * 60_000).toISOString()

/** The document after deliveries (count) and reads ('read') at these minutes after the send. */
const documentAfter = (...steps: readonly (readonly [minute: number, what: number | 'read'])[]) => {
  let document: unknown
  for (const [minute, what] of steps) {
    const writes =
      what === 'read' ? [countRead(ref, document, after(minute))] : countDeliveries(ref, document, after(minute), what)
    for (const write of writes) if (write.op === 'put') document = write.value
  }
  return document
}

const timelineOf = (...documents: readonly unknown[]) =>
  readTimeline({ getMany: async () => documents }, id, { sentAt, buckets: documents.map((_, n) => `b0${n}`) })

describe('the activity of a campaign', () => {
  it('is counted by minute and by day', async () => {
    const { firstHour, byDay } = await timelineOf(documentAfter([0, 3], [0, 2], [1, 'read'], [59, 4], [9 * 60, 'read']))
    expect(firstHour).toEqual([
      { at: '2026-11-21T10:00:00.000Z', delivered: 5, reads: 0 },
      { at: '2026-11-21T10:01:00.000Z', delivered: 0, reads: 1 },
      { at: '2026-11-21T10:59:00.000Z', delivered: 4, reads: 0 },
    ])
    expect(byDay).toEqual([
      { at: '2026-11-20T18:30:00.000Z', delivered: 9, reads: 1 },
      { at: '2026-11-21T18:30:00.000Z', delivered: 0, reads: 1 },
    ])
  })

  it('is summed over buckets that began at different times', async () => {
    const { firstHour } = await timelineOf(documentAfter([0, 1], [40, 1]), undefined, documentAfter([40, 2], [70, 5]))
    expect(firstHour.map(({ delivered }) => delivered)).toEqual([1, 3])
  })

  it('keeps one document small: 60 minutes and 90 days', () => {
    const steps = Array.from({ length: 5_000 }, (_, n) => [n * 60, 'read'] as const)
    const minutes = Array.from({ length: 200 }, (_, n) => [n, 1] as const)
    const known = activityOf(documentAfter(...minutes, ...steps))
    expect([known?.minutes.length, known?.days.length]).toEqual([60, 90])
  })

  it('counts in the first interval when the clock was set back', () => {
    expect(activityOf(documentAfter([5, 1], [0, 2]))?.minutes).toEqual([[0, 3, 0]])
  })

  it('has no document without deliveries and reads', () => {
    expect(documentAfter([0, 0])).toBeUndefined()
  })
})
