import type { OutcomeState } from '@portal/contracts/notifications/notification'
import type { NotificationId } from '@portal/contracts/shared/ids'
import type { Json } from '@portal/platform/event-store/port'
import type { DocumentRef, Write } from '@portal/platform/read-model/port'
import { z } from 'zod'
import { dayAt } from './counts.ts'
import { put } from '../read-model.ts'

/**
 * Deliveries and reads of a campaign over time, one small document per bucket: by minute in the hour after the
 * bucket's first activity, and by day for 90 days. A campaign's first hour lies within those hours.
 */
export const activityRef = (bucket: string, notificationId: NotificationId): DocumentRef => ({
  partition: bucket,
  collection: 'campaign-activity',
  key: notificationId,
})

export const minutesKept = 60
export const daysKept = 90

const whole = z.number().int()
/** The interval's number after the first, deliveries and reads. */
const counterSchema = z.tuple([whole, whole, whole])
type Counter = z.infer<typeof counterSchema>

const activitySchema = z.object({
  /** Minutes since 1970. */
  firstMinute: whole,
  minutes: z.array(counterSchema),
  /** A day of activity/counts.ts. */
  firstDay: whole,
  days: z.array(counterSchema),
})
type BucketActivity = z.infer<typeof activitySchema>

/** Undefined for a bucket without activity. */
export const activityOf = (value: unknown): BucketActivity | undefined =>
  value === undefined ? undefined : activitySchema.parse(value)

export type ActivityCounts = { readonly delivered: number; readonly reads: number }

export const minuteAt = (at: Date): number => Math.floor(at.getTime() / 60_000)

/** A clock that was set back counts in the first interval. */
const countIn = (counters: readonly Counter[], offset: number, kept: number, added: ActivityCounts): Counter[] => {
  const interval = Math.max(0, offset)
  if (interval >= kept) return [...counters]
  const known = counters.find(([number]) => number === interval)
  const counter: Counter = [interval, (known?.[1] ?? 0) + added.delivered, (known?.[2] ?? 0) + added.reads]
  return [...counters.filter(([number]) => number !== interval), counter]
}

/** Whether a device has shown it or a push service has accepted it. */
export const isDelivered = (state: OutcomeState): boolean => state === 'live' || state === 'pushed'

/** Counts deliveries and reads at a time. `known` is the current document. */
const countActivity = (ref: DocumentRef, known: unknown, at: string, added: ActivityCounts): Write => {
  const time = new Date(at)
  const [minute, day] = [minuteAt(time), dayAt(time)]
  const before = activityOf(known) ?? { firstMinute: minute, minutes: [], firstDay: day, days: [] }
  const { firstMinute, firstDay } = before
  const after = {
    firstMinute,
    minutes: countIn(before.minutes, minute - firstMinute, minutesKept, added),
    firstDay,
    days: countIn(before.days, day - firstDay, daysKept, added),
  } satisfies Json
  return put(ref, after)
}

export const countDeliveries = (ref: DocumentRef, known: unknown, at: string, delivered: number): readonly Write[] =>
  delivered === 0 ? [] : [countActivity(ref, known, at, { delivered, reads: 0 })]

export const countRead = (ref: DocumentRef, known: unknown, at: string): Write =>
  countActivity(ref, known, at, { delivered: 0, reads: 1 })
