import { type ActivityDay, getActivity } from '@portal/contracts/notifications/http'
import { allBucketKeys } from '@portal/contracts/shared/buckets'
import { ok } from '@portal/platform/decider/decider'
import type { BindRoute } from '@portal/platform/http/handler'
import type { DocumentRef, ReadStore } from '@portal/platform/read-model/port'
import type { FastifyInstance } from 'fastify'
import { bucketDayOf, bucketDayRef, dateOf, dayAt, sendsOf, sendsRef } from './counts.ts'

type ActivityReaderDeps = {
  readonly readModel: Pick<ReadStore, 'getMany'>
  readonly now: () => Date
  /** How long an answer is cached. */
  readonly cacheMs: number
}

type CachedActivity = { readonly atMs: number; readonly answer: Promise<ActivityDay[]> }

const refsOf = (day: number): readonly DocumentRef[] => [
  sendsRef(day),
  ...allBucketKeys.map((bucket) => bucketDayRef(bucket, day)),
]
const refsPerDay = 1 + allBucketKeys.length

/** Reads activity per day by summing 65 small documents for each day. */
export const createActivityReader = ({ readModel, now, cacheMs }: ActivityReaderDeps) => {
  /** Cached answers by the number of days; the contract allows few. */
  const cache = new Map<number, CachedActivity>()

  const read = async (count: number): Promise<ActivityDay[]> => {
    const today = dayAt(now())
    const days = Array.from({ length: count }, (_, index) => today - count + 1 + index)
    const documents = await readModel.getMany(days.flatMap(refsOf))
    return days.map((day, index) => {
      const [sends, ...buckets] = documents.slice(index * refsPerDay, (index + 1) * refsPerDay)
      const counts = { reads: 0, arrivals: 0, arrivalsRead: 0 }
      for (const known of buckets) {
        const { reads, arrivals, arrivalsRead } = bucketDayOf(known, day)
        counts.reads += reads
        counts.arrivals += arrivals
        counts.arrivalsRead += arrivalsRead
      }
      return { date: dateOf(day), ...sendsOf(sends, day), ...counts }
    })
  }

  /** Returns the last days up to today, oldest first, including days without activity. */
  return (days: number): Promise<ActivityDay[]> => {
    const atMs = now().getTime()
    const known = cache.get(days)
    // After the clock was set back, a cached answer would stay valid too long.
    if (known && atMs >= known.atMs && atMs < known.atMs + cacheMs) return known.answer
    const answer = read(days)
    cache.set(days, { atMs, answer })
    answer.catch(() => cache.delete(days))
    return answer
  }
}
type ActivityReader = ReturnType<typeof createActivityReader>

export const activityRoutes = (app: FastifyInstance, bind: BindRoute, activity: ActivityReader): void => {
  bind(app, getActivity, async ({ query }) => ok({ success: true, days: await activity(query.days) }))
}
