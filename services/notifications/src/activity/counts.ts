import { mostActivityDays } from '@portal/contracts/notifications/http'
import type { Entry, Write } from '@portal/platform/read-model/port'
import { z } from 'zod'
import { dateOf, dayAt } from './day.ts'

/**
 * What happened on each day, counted by the inbox projection, as it alone knows what a mark-all newly reads. Sends are in
 * the sends' partition, reads in each bucket's, in lists of one entry a day: members are dates, scores the days' numbers.
 */
export const sendsByDay = 'activity-sends'
export const readsByDay = 'activity-reads'

/** A few more than are ever asked for, as clocks of machines differ. */
const keptDays = mostActivityDays + 7

const sendsSchema = z.object({ sends: z.number().int(), delivered: z.number().int() })
export type DaySends = z.infer<typeof sendsSchema>

export const daySendsOf = (entry: Entry | undefined): DaySends =>
  entry === undefined ? { sends: 0, delivered: 0 } : sendsSchema.parse(entry.value)

export const dayReadsOf = (entry: Entry | undefined): number =>
  entry === undefined ? 0 : z.number().int().parse(entry.value)

/** The entry of a moment's day: what there is of it is read before it can be added to. */
export const dayMember = (at: string): string => dateOf(dayAt(new Date(at)))

/** The first entry of a day takes those away that nobody asks for any more. */
const setDay = (list: string, at: string, known: Entry | undefined, value: number | DaySends): readonly Write[] => {
  const score = dayAt(new Date(at))
  const trim: readonly Write[] = known === undefined ? [{ op: 'trim', list, upToScore: score - keptDays }] : []
  return [{ op: 'add', list, member: dateOf(score), score, value }, ...trim]
}

/** One more send, and the inboxes that it reached. */
export const countSend = (at: string, known: Entry | undefined, delivered: number): readonly Write[] => {
  const before = daySendsOf(known)
  return setDay(sendsByDay, at, known, { sends: before.sends + 1, delivered: before.delivered + delivered })
}

/** So many notifications of one inbox that were unread until now. */
export const countReads = (at: string, known: Entry | undefined, reads: number): readonly Write[] =>
  setDay(readsByDay, at, known, dayReadsOf(known) + reads)
