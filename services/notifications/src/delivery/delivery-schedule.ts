import { allBucketKeys } from '@portal/contracts/shared/buckets'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import { yieldToEventLoop } from '@portal/platform/async/event-loop-budget'
import type { ReadStore } from '@portal/platform/read-model/port'
import { maxAttempts } from '../campaign/decider.ts'
import type { Attempt } from './attempts.ts'
import { type Deferrals, type DeliveryId, deliveryKey, type Reasons } from './deferrals.ts'
import {
  endWaitingOf,
  type NumberedPendingDelivery,
  pendingPageSize,
  type PendingDelivery,
  readDeactivated,
  readNewestPending,
  readPending,
  readPendingFrom,
} from './pending-deliveries.ts'
import type { Moment, SendTimes } from './send-times.ts'

/** Maximum interval between reads of a bucket, in case another process has added to it. */
const maxReadIntervalMs = 60_000
/** Pause per page of a long list, so that many deferred deliveries use little CPU. */
const restPerPageMs = 100

/** Read state of a bucket's list. Every read includes the newest page; the other pages take turns. */
type Bucket = {
  nextReadMs: number
  /** The first ordinal of the next page. */
  fromOrdinal: number
  /** When to read that page. */
  pageAtMs: number
  pagesRead: number
  /** The earliest retry among the deliveries read in this pass. */
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

/** Moves on to the next page. `earliestMs` is the earliest retry among the page's deliveries. */
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

type DeliveryScheduleDeps = {
  readonly pendingDeliveries: Pick<ReadStore, 'get' | 'range'>
  readonly times: SendTimes
  readonly deferrals: Deferrals
}

/**
 * Schedules due deliveries per bucket. A delivery that cannot be settled never blocks others. All times are on the
 * monotonic clock.
 */
export const createDeliverySchedule = ({ pendingDeliveries, times, deferrals }: DeliveryScheduleDeps) => {
  const buckets = new Map<string, Bucket>()
  /** Returned as due and not yet done. */
  const inProgress = new Set<string>()
  /** Those of them that an admin has stopped since. */
  const stoppedInProgress = new Set<string>()
  /** Those of them that have, or may have, got more recipients since. */
  const grownInProgress = new Set<string>()
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

  const retryAt = (key: string, atMs: number): void => {
    const bucket = bucketOf(key)
    // The delivery may be on any page.
    bucket.pageAtMs = Math.min(bucket.pageAtMs, Math.max(atMs, bucket.restUntilMs))
    readBucketAt(bucket, atMs)
  }

  /** When the delivery is due or retried. */
  const atMsOf = (delivery: PendingDelivery, moment: Moment): number => {
    if (inProgress.has(deliveryKey(delivery))) return Number.POSITIVE_INFINITY
    const untilMs = deferrals.untilMs(delivery)
    // Only those whose push waits are left.
    if (delivery.pending.length + delivery.active.length === 0 && delivery.stopped === undefined)
      return Number.POSITIVE_INFINITY
    return delivery.stopped === undefined ? Math.max(times.dueAtMs(delivery, moment), untilMs) : untilMs
  }

  /** Ends the progress of a delivery. One that was stopped meanwhile is due at once, and this returns true. */
  const leave = (delivery: PendingDelivery, nowMs: number): boolean => {
    const key = deliveryKey(delivery)
    inProgress.delete(key)
    if (grownInProgress.delete(key)) retryAt(delivery.bucket, nowMs)
    if (!stoppedInProgress.delete(key)) return false
    deferrals.clear(delivery)
    retryAt(delivery.bucket, nowMs)
    return true
  }

  /** Reads the next page of a long list, and pauses after the last one. */
  const nextPage = async (
    key: string,
    bucket: Bucket,
    { moment, deactivated }: { readonly moment: Moment; readonly deactivated: ReadonlySet<UserId> },
  ): Promise<readonly NumberedPendingDelivery[]> => {
    if (bucket.pageAtMs > moment.steadyMs) return []
    const read = await readPendingFrom(pendingDeliveries, key, bucket.fromOrdinal)
    const page = read.map((delivery) => endWaitingOf(delivery, deactivated))
    const waits = page.map((delivery) => atMsOf(delivery, moment)).filter((atMs) => atMs > moment.steadyMs)
    turnPage(bucket, page, Math.min(...waits), moment)
    return page
  }

  /** Reads a bucket's due deliveries, oldest first. */
  const readDue = async (key: string, bucket: Bucket, moment: Moment): Promise<readonly PendingDelivery[]> => {
    // Set before reading, so that a call to `readBucketAt` meanwhile still counts.
    bucket.nextReadMs = Number.POSITIVE_INFINITY
    try {
      const [read, deactivated] = await Promise.all([
        readNewestPending(pendingDeliveries, key),
        readDeactivated(pendingDeliveries, key),
      ])
      const newest = read.map((delivery) => endWaitingOf(delivery, deactivated))
      const isAll = newest.length < pendingPageSize
      const page = isAll ? [] : await nextPage(key, bucket, { moment, deactivated })
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
    /** Calls the listener when a delivery becomes due earlier than `nextAtMs` said. */
    onEarlier: (listener: () => void): void => {
      onSooner = listener
    },
    nextAtMs: (): number => Math.min(...allBucketKeys.map((key) => bucketOf(key).nextReadMs)),
    /** The oldest and the newest pending deliveries of a bucket. */
    pendingOf: (bucket: string): Promise<readonly PendingDelivery[]> => readPending(pendingDeliveries, bucket),
    /** A campaign or a resend arrived while this process was watching. */
    arrived: (bucket: string, sent: Attempt & { readonly sentAt: string }, moment: Moment): void => {
      const delivery = { ...sent, bucket }
      const key = deliveryKey(delivery)
      if (inProgress.has(key)) grownInProgress.add(key)
      times.arrived(delivery, moment)
      readBucketAt(bucketOf(bucket), times.dueAtMs(delivery, moment))
    },
    /** An admin stopped the campaign: what is pending in the bucket is due at once. */
    stopped: (bucket: string, notificationId: NotificationId, { steadyMs }: Moment): void => {
      for (let attempt = 1; attempt <= maxAttempts; attempt++) {
        const delivery: DeliveryId = { notificationId, attempt, bucket }
        const key = deliveryKey(delivery)
        if (inProgress.has(key)) stoppedInProgress.add(key)
        deferrals.clear(delivery)
      }
      retryAt(bucket, steadyMs)
    },
    /** Whether the delivery must not be pushed any more. */
    isStopped: (delivery: PendingDelivery): boolean =>
      delivery.stopped !== undefined || stoppedInProgress.has(deliveryKey(delivery)),
    /** Discards all read state: the list may have changed completely. */
    recheckAll: (): void => {
      buckets.clear()
      onSooner()
    },
    /** Returns each due delivery once, until it is `done` or postponed. */
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
    /** Starts progress on a delivery that was not returned as due. Returns false if there is progress already. */
    begin: (delivery: DeliveryId): boolean => {
      const key = deliveryKey(delivery)
      if (inProgress.has(key)) return false
      inProgress.add(key)
      return true
    },
    /** Users of the bucket may have become due, also those of deliveries in progress. */
    recheck: (bucket: string, { steadyMs }: Moment): void => {
      for (const key of inProgress) if (key.endsWith(` ${bucket}`)) grownInProgress.add(key)
      retryAt(bucket, steadyMs)
    },
    /** The delivery is settled, or must be retried for these reasons. Returns the time of the retry. */
    done: (delivery: PendingDelivery, reasons: Reasons, nowMs: number): number | undefined => {
      if (leave(delivery, nowMs)) return nowMs
      if (reasons.size === 0) {
        deferrals.clear(delivery)
        return undefined
      }
      const untilMs = deferrals.defer(delivery, reasons, nowMs)
      retryAt(delivery.bucket, untilMs)
      return untilMs
    },
    /** Retries the delivery after that time, without counting an attempt. */
    postpone: (delivery: PendingDelivery, { forMs, nowMs }: { forMs: number; nowMs: number }): void => {
      if (leave(delivery, nowMs)) return
      const untilMs = nowMs + forMs
      deferrals.postpone(delivery, untilMs)
      retryAt(delivery.bucket, untilMs)
    },
  }
}
export type DeliverySchedule = ReturnType<typeof createDeliverySchedule>
