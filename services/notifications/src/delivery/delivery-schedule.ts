import { allBucketKeys } from '@portal/contracts/shared/buckets'
import type { NotificationId } from '@portal/contracts/shared/ids'
import { yieldToEventLoop } from '@portal/platform/async/event-loop-budget'
import type { ReadStore } from '@portal/platform/read-model/port'
import { type Deferrals, deliveryKey, type Reasons } from './deferrals.ts'
import {
  type NumberedPendingDelivery,
  pendingPageSize,
  type PendingDelivery,
  readNewestPending,
  readPending,
  readPendingFrom,
} from './pending-deliveries.ts'
import type { Moment, SendTimes } from './send-times.ts'

/** A bucket is looked at this often at least, should another process have added to it. */
const maxReadIntervalMs = 60_000
/** For each page of a long list, so that many deliveries that wait cost a share of the processor only. */
const restPerPageMs = 100

/** A bucket's list, of which the newest page is read each time, and the others one after the other, over and over. */
type Bucket = {
  nextReadMs: number
  /** The next of the other pages. */
  fromOrdinal: number
  /** When it is read. */
  pageAtMs: number
  pagesRead: number
  /** When the first of those that were passed over is to be looked at again. */
  earliestMs: number
  restUntilMs: number
}

const newBucket = (): Bucket => ({
  nextReadMs: 0,
  fromOrdinal: 0,
  pageAtMs: 0,
  pagesRead: 0,
  earliestMs: Number.POSITIVE_INFINITY,
  restUntilMs: 0,
})

/** Notes that a page was read; `earliestMs` is the first time at which one of its deliveries is to be looked at again. */
const turnPage = (
  bucket: Bucket,
  page: readonly NumberedPendingDelivery[],
  earliestMs: number,
  { steadyMs }: Pick<Moment, 'steadyMs'>,
): void => {
  const last = page.at(-1)
  bucket.pagesRead += 1
  bucket.earliestMs = Math.min(bucket.earliestMs, earliestMs)
  if (last !== undefined && page.length === pendingPageSize) {
    bucket.fromOrdinal = last.ordinal + 1
    bucket.pageAtMs = steadyMs
    return
  }
  bucket.fromOrdinal = 0
  bucket.restUntilMs = steadyMs + bucket.pagesRead * restPerPageMs
  bucket.pageAtMs = Math.max(bucket.earliestMs, bucket.restUntilMs)
  bucket.pagesRead = 0
  bucket.earliestMs = Number.POSITIVE_INFINITY
}

type Deps = {
  readonly pendingDeliveries: Pick<ReadStore, 'range'>
  readonly times: SendTimes
  readonly deferrals: Deferrals
}

/**
 * The deliveries that are due, whatever else waits in their bucket: no list is blocked by what cannot be settled. All times are of
 * the steady clock.
 */
export const createDeliverySchedule = ({ pendingDeliveries, times, deferrals }: Deps) => {
  const buckets = new Map<string, Bucket>()
  /** Handed out as due, and not done. */
  const inProgress = new Set<string>()
  let onSooner = (): void => undefined

  const bucketOf = (key: string): Bucket => {
    const known = buckets.get(key)
    if (known) return known
    const made = newBucket()
    buckets.set(key, made)
    return made
  }

  const readBucketAt = (bucket: Bucket, atMs: number): void => {
    if (atMs >= bucket.nextReadMs) return
    bucket.nextReadMs = atMs
    onSooner()
  }

  const retryAt = (delivery: PendingDelivery, atMs: number): void => {
    const bucket = bucketOf(delivery.bucket)
    // It may be on any page.
    bucket.pageAtMs = Math.min(bucket.pageAtMs, Math.max(atMs, bucket.restUntilMs))
    readBucketAt(bucket, atMs)
  }

  /** When to look at a delivery. */
  const atMsOf = (delivery: PendingDelivery, moment: Moment): number =>
    inProgress.has(deliveryKey(delivery))
      ? Number.POSITIVE_INFINITY
      : Math.max(times.dueAtMs(delivery, moment), deferrals.untilMs(delivery))

  /** Goes on with the pages of a long list; rests after the last of them. */
  const nextPage = async (key: string, bucket: Bucket, moment: Moment): Promise<readonly NumberedPendingDelivery[]> => {
    if (bucket.pageAtMs > moment.steadyMs) return []
    const page = await readPendingFrom(pendingDeliveries, key, bucket.fromOrdinal)
    const waits = page.map((delivery) => atMsOf(delivery, moment)).filter((atMs) => atMs > moment.steadyMs)
    turnPage(bucket, page, Math.min(...waits), moment)
    return page
  }

  /** What is due of a bucket, the oldest first. */
  const readDue = async (key: string, bucket: Bucket, moment: Moment): Promise<readonly PendingDelivery[]> => {
    // What is said meanwhile counts, too.
    bucket.nextReadMs = Number.POSITIVE_INFINITY
    try {
      const newest = await readNewestPending(pendingDeliveries, key)
      const isAll = newest.length < pendingPageSize
      const page = isAll ? [] : await nextPage(key, bucket, moment)
      const firstOrdinal = newest[0]?.ordinal ?? 0
      const due: PendingDelivery[] = []
      let soonestMs = Math.min(moment.steadyMs + maxReadIntervalMs, isAll ? Number.POSITIVE_INFINITY : bucket.pageAtMs)
      for (const delivery of [...page.filter(({ ordinal }) => ordinal < firstOrdinal), ...newest]) {
        const atMs = atMsOf(delivery, moment)
        if (atMs <= moment.steadyMs) due.push(delivery)
        else soonestMs = Math.min(soonestMs, atMs)
      }
      bucket.nextReadMs = Math.min(bucket.nextReadMs, soonestMs)
      return due
    } catch (error) {
      bucket.nextReadMs = 0
      throw error
    }
  }

  return {
    /** Calls back when there is something to look at earlier than what `due` answered. */
    onEarlier: (listener: () => void): void => {
      onSooner = listener
    },
    nextAtMs: (): number => Math.min(...allBucketKeys.map((key) => bucketOf(key).nextReadMs)),
    /** The oldest and the newest of a bucket. */
    pendingOf: (bucket: string): Promise<readonly PendingDelivery[]> => readPending(pendingDeliveries, bucket),
    /** A send has come in, while this process has seen all that was before. */
    arrived: (bucket: string, sent: { notificationId: NotificationId; sentAt: string }, moment: Moment): void => {
      times.arrived(sent.notificationId, moment)
      readBucketAt(bucketOf(bucket), times.dueAtMs(sent, moment))
    },
    /** The ledger may hold anything. */
    recheckAll: (): void => {
      buckets.clear()
      onSooner()
    },
    /** Each of them is handed out once until it is said to be `done`, or is postponed. */
    due: async (moment: Moment): Promise<readonly PendingDelivery[]> => {
      const due: PendingDelivery[] = []
      for (const key of allBucketKeys) {
        const bucket = bucketOf(key)
        if (bucket.nextReadMs <= moment.steadyMs) due.push(...(await readDue(key, bucket, moment)))
        await yieldToEventLoop()
      }
      for (const delivery of due) inProgress.add(deliveryKey(delivery))
      return due
    },
    /** It is settled, or to be looked at again for these reasons. */
    done: (delivery: PendingDelivery, reasons: Reasons, nowMs: number): void => {
      inProgress.delete(deliveryKey(delivery))
      if (reasons.size === 0) deferrals.clear(delivery)
      else retryAt(delivery, deferrals.defer(delivery, reasons, nowMs))
    },
    /** Nothing was tried: it is looked at again then. */
    postpone: (delivery: PendingDelivery, untilMs: number): void => {
      inProgress.delete(deliveryKey(delivery))
      deferrals.postpone(delivery, untilMs)
      retryAt(delivery, untilMs)
    },
  }
}
export type DeliverySchedule = ReturnType<typeof createDeliverySchedule>
