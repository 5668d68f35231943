import { maxActivityDays } from '@portal/contracts/notifications/http'
import { portalSender } from '@portal/contracts/notifications/portal-sender'
import type { UserId } from '@portal/contracts/shared/ids'
import { indiaZone } from '@portal/contracts/shared/india-time'
import type { DocumentRef, ReadStore, Write } from '@portal/platform/read-model/port'
import { z } from 'zod'
import { campaignPartition, put } from '../read-model.ts'

/** Days in India Standard Time. A day is a number, counted from 1 January 1970, so that days can be compared. */
const dayMs = 86_400_000
const { aheadMs } = indiaZone

export const dayAt = (at: Date): number => Math.floor((at.getTime() + aheadMs) / dayMs)

/** Midnight in India. */
export const startOfDay = (day: number): Date => new Date(day * dayMs - aheadMs)

/** `2026-11-21` */
export const dateOf = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10)

/**
 * Activity per day. The inbox projection counts it, because only it knows how many items a mark-all newly reads.
 * Campaigns are counted in the campaigns partition, arrivals and reads in each bucket's. One document per day; days
 * reuse slots in turn, so nothing needs trimming. A few extra slots allow for clock skew between machines.
 */
export const daySlots = maxActivityDays + 7

const slotOf = (day: number): string => String(day % daySlots)

export const sendsRef = (day: number): DocumentRef => ({
  partition: campaignPartition,
  collection: 'activity-sends',
  key: slotOf(day),
})

/** A bucket's BucketDay. The name is older than the arrivals in it. */
export const bucketDayRef = (bucket: string, day: number): DocumentRef => ({
  partition: bucket,
  collection: 'activity-reads',
  key: slotOf(day),
})

const count = z.number().int()
const sendsSchema = z.object({
  day: count,
  sends: count,
  /** How many of them the portal sent itself. */
  automatic: count,
  delivered: count,
})
type Sends = Omit<z.infer<typeof sendsSchema>, 'day'>
const bucketDaySchema = z.object({
  day: count,
  /** Notifications newly read on this day, whenever they arrived. */
  reads: count,
  /** Inbox entries that arrived on this day, also those that were withdrawn later … */
  arrivals: count,
  /** … and how many of them their recipients have read, on any day. A recall reads nothing. */
  arrivalsRead: count,
})
type BucketDay = z.infer<typeof bucketDaySchema>

/** A slot may contain an earlier day, or nothing. */
export const sendsOf = (known: unknown, day: number): Sends => {
  const slot = known === undefined ? undefined : sendsSchema.parse(known)
  if (slot?.day !== day) return { sends: 0, automatic: 0, delivered: 0 }
  const { day: _, ...sends } = slot
  return sends
}

export const bucketDayOf = (known: unknown, day: number): BucketDay => {
  const slot = known === undefined ? undefined : bucketDaySchema.parse(known)
  return slot?.day === day ? slot : { day, reads: 0, arrivals: 0, arrivalsRead: 0 }
}

type Sent = { readonly sentBy: UserId; readonly targeted: number }

/** Counts a campaign and the inboxes that it reached. `known` is the day's current document. */
export const countSend = (at: string, known: unknown, { sentBy, targeted }: Sent): Write => {
  const day = dayAt(new Date(at))
  const { sends, automatic, delivered } = sendsOf(known, day)
  return put(sendsRef(day), {
    day,
    sends: sends + 1,
    automatic: automatic + (sentBy === portalSender ? 1 : 0),
    delivered: delivered + targeted,
  })
}

const dayOf = (at: string): number => dayAt(new Date(at))

/** Counts new inbox entries. `known` is the current document of the slot. */
export const countArrivals = (bucket: string, at: string, known: unknown, arrived: number): Write => {
  const counts = bucketDayOf(known, dayOf(at))
  return put(bucketDayRef(bucket, counts.day), { ...counts, arrivals: counts.arrivals + arrived })
}

/** Counts newly read notifications of one inbox. `known` is the current document of the slot. */
export const countReads = (bucket: string, at: string, known: unknown, newlyRead: number): Write => {
  const counts = bucketDayOf(known, dayOf(at))
  return put(bucketDayRef(bucket, counts.day), { ...counts, reads: counts.reads + newlyRead })
}

/** Undefined if a later day has taken the slot: every read entry is among the arrivals of its day. */
const withArrivalsRead = (known: unknown, day: number, read: number): BucketDay | undefined => {
  const counts = bucketDayOf(known, day)
  return counts.arrivals === 0 ? undefined : { ...counts, arrivalsRead: counts.arrivalsRead + read }
}

/** Counts the reads of entries that a mark-all covers for the days on which they arrived. */
export const countArrivalsRead = async (
  bucket: string,
  arrivedAt: readonly string[],
  view: Pick<ReadStore, 'getMany'>,
): Promise<readonly Write[]> => {
  const readByDay = new Map<number, number>()
  for (const day of arrivedAt.map(dayOf)) readByDay.set(day, (readByDay.get(day) ?? 0) + 1)
  const documents = await view.getMany([...readByDay.keys()].map((day) => bucketDayRef(bucket, day)))
  return [...readByDay].flatMap(([day, read], index) => {
    const counts = withArrivalsRead(documents[index], day, read)
    return counts ? [put(bucketDayRef(bucket, day), counts)] : []
  })
}

/**
 * Counts the read of one entry, for its own day and for the day on which the entry arrived. `known` is the current
 * document of the slot of the read.
 */
export const countEntryRead = async (
  { bucket, at, arrivedAt }: { readonly bucket: string; readonly at: string; readonly arrivedAt: string },
  known: unknown,
  view: Pick<ReadStore, 'get'>,
): Promise<readonly Write[]> => {
  const [day, arrivalDay] = [dayOf(at), dayOf(arrivedAt)]
  const before = bucketDayOf(known, day)
  const ref = bucketDayRef(bucket, day)
  const counts = { ...before, reads: before.reads + 1 }
  if (arrivalDay === day) return [put(ref, withArrivalsRead(counts, day, 1) ?? counts)]
  const arrivalRef = bucketDayRef(bucket, arrivalDay)
  // The day of the read takes the slot of an arrival this old.
  if (arrivalRef.key === ref.key) return [put(ref, counts)]
  const arrivals = withArrivalsRead(await view.get(arrivalRef), arrivalDay, 1)
  return [put(ref, counts), ...(arrivals ? [put(arrivalRef, arrivals)] : [])]
}
