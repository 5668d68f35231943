import { maxActivityDays } from '@portal/contracts/notifications/http'
import type { DocumentRef, Write } from '@portal/platform/read-model/port'
import { z } from 'zod'
import { campaignPartition, put } from '../read-model.ts'

/**
 * Days in India Standard Time (UTC+5:30 all year), where the program is held. A day is a number, counted from 1
 * January 1970, so that days can be compared.
 */
const dayMs = 86_400_000
const aheadMs = 5.5 * 3_600_000

export const dayAt = (at: Date): number => Math.floor((at.getTime() + aheadMs) / dayMs)

/** Midnight in India. */
export const startOfDay = (day: number): Date => new Date(day * dayMs - aheadMs)

/** `2026-11-21` */
export const dateOf = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10)

/**
 * Activity per day. The inbox projection counts it, because only it knows how many items a mark-all newly reads.
 * Campaigns are counted in the campaigns partition, reads in each bucket's. One document per day; days reuse slots
 * in turn, so nothing needs trimming. A few extra slots allow for clock skew between machines.
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

/** A slot may contain an earlier day, or nothing. */
export const sendsOf = (known: unknown, day: number) => {
  const slot = known === undefined ? undefined : sendsSchema.parse(known)
  return slot?.day === day ? { sends: slot.sends, delivered: slot.delivered } : { sends: 0, delivered: 0 }
}

export const readsOf = (known: unknown, day: number): number => {
  const slot = known === undefined ? undefined : readsSchema.parse(known)
  return slot?.day === day ? slot.reads : 0
}

/** Counts a campaign and the inboxes that it reached. `known` is the day's current document. */
export const countSend = (at: string, known: unknown, reached: number): Write => {
  const day = dayAt(new Date(at))
  const { sends, delivered } = sendsOf(known, day)
  return put(sendsRef(day), { day, sends: sends + 1, delivered: delivered + reached })
}

/** Counts newly read notifications of one inbox. `known` is the day's current document. */
export const countReads = (bucket: string, at: string, known: unknown, newlyRead: number): Write => {
  const day = dayAt(new Date(at))
  return put(readsRef(bucket, day), { day, reads: readsOf(known, day) + newlyRead })
}
