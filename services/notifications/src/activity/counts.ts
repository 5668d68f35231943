import { maxActivityDays } from '@portal/contracts/notifications/http'
import type { DocumentRef, Write } from '@portal/platform/read-model/port'
import { z } from 'zod'
import { campaignPartition, put } from '../read-model.ts'

/**
 * Days in India Standard Time, in which the program is held: always five and a half hours ahead of UTC. A day is a number,
 * counted from 1 January 1970, so that days can be ordered and bounded; its date is what people see.
 */
const dayMs = 86_400_000
const aheadMs = 5.5 * 3_600_000

export const dayAt = (at: Date): number => Math.floor((at.getTime() + aheadMs) / dayMs)

/** `2026-11-21` */
export const dateOf = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10)

/**
 * What happened on each day, counted by the inbox projection, as it alone knows what a mark-all newly reads: sends in the
 * sends' partition, reads in each bucket's. A document a day. The days take turns in the slots, so that nothing has to be
 * trimmed; there are a few more slots than days that are ever asked for, as clocks of machines differ.
 */
export const daySlots = maxActivityDays + 7

const slotOf = (day: number): string => String(day % daySlots)

export const sendsRef = (day: number): DocumentRef => ({
  partition: campaignPartition,
  collection: 'activity-sends',
  key: slotOf(day),
})

export const readsRef = (bucket: string, day: number): DocumentRef => ({
  partition: bucket,
  collection: 'activity-reads',
  key: slotOf(day),
})

const sendsSchema = z.object({ day: z.number().int(), sends: z.number().int(), delivered: z.number().int() })
const readsSchema = z.object({ day: z.number().int(), reads: z.number().int() })

/** A slot may hold an earlier day, or nothing yet. */
export const sendsOf = (known: unknown, day: number) => {
  const slot = known === undefined ? undefined : sendsSchema.parse(known)
  return slot?.day === day ? { sends: slot.sends, delivered: slot.delivered } : { sends: 0, delivered: 0 }
}

export const readsOf = (known: unknown, day: number): number => {
  const slot = known === undefined ? undefined : readsSchema.parse(known)
  return slot?.day === day ? slot.reads : 0
}

/** One more send, and the inboxes that it reached. `known` is what its day's document holds. */
export const countSend = (at: string, known: unknown, reached: number): Write => {
  const day = dayAt(new Date(at))
  const { sends, delivered } = sendsOf(known, day)
  return put(sendsRef(day), { day, sends: sends + 1, delivered: delivered + reached })
}

/** So many notifications of one inbox that were unread until now. `known` is what its day's document holds. */
export const countReads = (bucket: string, at: string, known: unknown, newlyRead: number): Write => {
  const day = dayAt(new Date(at))
  return put(readsRef(bucket, day), { day, reads: readsOf(known, day) + newlyRead })
}
