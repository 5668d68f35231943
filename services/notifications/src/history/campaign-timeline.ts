import type { getCampaign } from '@portal/contracts/notifications/http'
import type { NotificationId } from '@portal/contracts/shared/ids'
import type { ReadStore } from '@portal/platform/read-model/port'
import type { z } from 'zod'
import { dayAt, startOfDay } from '../activity/counts.ts'
import {
  type ActivityCounts,
  activityOf,
  activityRef,
  daysKept,
  minuteAt,
  minutesKept,
} from '../activity/campaign-activity.ts'
import type { SentCampaign } from '../campaign/projection.ts'

type Timeline = Pick<z.output<(typeof getCampaign)['response']>, 'firstHour' | 'byDay'>
type Point = Timeline['byDay'][number]

/** Sums the buckets' counters by interval. */
const createSums = (first: number, kept: number, startOf: (interval: number) => Date) => {
  const sums = new Map<number, ActivityCounts>()
  return {
    add: (firstOfBucket: number, counters: readonly (readonly [number, number, number])[]): void => {
      for (const [offset, delivered, reads] of counters) {
        const interval = Math.max(first, firstOfBucket + offset)
        if (interval >= first + kept) continue
        const known = sums.get(interval) ?? { delivered: 0, reads: 0 }
        sums.set(interval, { delivered: known.delivered + delivered, reads: known.reads + reads })
      }
    },
    points: (): Point[] =>
      [...sums]
        .toSorted(([a], [b]) => a - b)
        .map(([interval, counts]) => ({ at: startOf(interval).toISOString(), ...counts })),
  }
}

/** Reads the deliveries and reads of a campaign over time. */
export const readTimeline = async (
  readModel: Pick<ReadStore, 'getMany'>,
  notificationId: NotificationId,
  { sentAt, buckets }: Pick<SentCampaign, 'sentAt' | 'buckets'>,
): Promise<Timeline> => {
  const sent = new Date(sentAt)
  const minutes = createSums(minuteAt(sent), minutesKept, (minute) => new Date(minute * 60_000))
  const days = createSums(dayAt(sent), daysKept, startOfDay)
  for (const value of await readModel.getMany(buckets.map((bucket) => activityRef(bucket, notificationId)))) {
    const activity = activityOf(value)
    if (!activity) continue
    minutes.add(activity.firstMinute, activity.minutes)
    days.add(activity.firstDay, activity.days)
  }
  return { firstHour: minutes.points(), byDay: days.points() }
}
