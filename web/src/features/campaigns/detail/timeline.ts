import { dateInIndia } from '@portal/contracts/shared/india-time'
import { monthDay, startOfDate } from '../../../lib/date-format.ts'
import { formatCount } from '../progress.ts'

/** Deliveries and reads of one interval. */
export type Activity = { readonly at: string; readonly delivered: number; readonly reads: number }

/** One bar pair of a chart: a minute or a day. */
export type Slot = { readonly label: string; readonly delivered: number; readonly reads: number }

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const minutesShown = 60
/** The most days that the chart shows, as many as the server counts. */
const maxDays = 90

const sumsBySlot = (points: readonly Activity[], slotOf: (atMs: number) => number) => {
  const sums = new Map<number, { delivered: number; reads: number }>()
  for (const { at, delivered, reads } of points) {
    const slot = slotOf(Date.parse(at))
    const known = sums.get(slot) ?? { delivered: 0, reads: 0 }
    sums.set(slot, { delivered: known.delivered + delivered, reads: known.reads + reads })
  }
  return sums
}

/** The minutes of the first hour after the send, including those without activity: '0', '1', … */
export const minuteSlots = (points: readonly Activity[], sentAt: string): readonly Slot[] => {
  const start = Date.parse(sentAt)
  const lastSlot = minutesShown - 1
  const sums = sumsBySlot(points, (atMs) => Math.min(lastSlot, Math.max(0, Math.floor((atMs - start) / minuteMs))))
  return Array.from({ length: minutesShown }, (_, minute) => ({
    label: String(minute),
    ...(sums.get(minute) ?? { delivered: 0, reads: 0 }),
  }))
}

/** 'Nov 21', for the first moment of a day as the server counts days. */
const dayLabel = (atMs: number): string => monthDay(startOfDate(dateInIndia(atMs)))

/** The days from the first to the last with activity, including those without any between. */
export const daySlots = (points: readonly Activity[]): readonly Slot[] => {
  const times = points.map(({ at }) => Date.parse(at))
  if (times.length === 0) return []
  const first = Math.min(...times)
  const sums = sumsBySlot(points, (atMs) => Math.round((atMs - first) / dayMs))
  const last = Math.min(maxDays - 1, Math.max(...sums.keys()))
  return Array.from({ length: last + 1 }, (_, day) => ({
    label: dayLabel(first + day * dayMs),
    ...(sums.get(day) ?? { delivered: 0, reads: 0 }),
  }))
}

/** '412 deliveries and 96 reads in the first hour.' */
export const summaryOf = (slots: readonly Slot[], period: string): string => {
  const delivered = slots.reduce((sum, slot) => sum + slot.delivered, 0)
  const reads = slots.reduce((sum, slot) => sum + slot.reads, 0)
  const counted = (count: number, one: string, many: string) => `${formatCount(count)} ${count === 1 ? one : many}`
  return `${counted(delivered, 'delivery', 'deliveries')} and ${counted(reads, 'read', 'reads')} ${period}.`
}
