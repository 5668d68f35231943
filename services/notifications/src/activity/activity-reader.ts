import type { ActivityDay } from '@portal/contracts/notifications/http'
import { allBucketKeys } from '@portal/contracts/shared/buckets'
import type { Entry, ReadModel } from '@portal/platform/read-model/port'
import { campaignPartition } from '../read-model.ts'
import { dayReadsOf, daySendsOf, readsByDay, sendsByDay } from './counts.ts'
import { dateOf, dayAt } from './day.ts'

type Deps = {
  readonly readModel: Pick<ReadModel, 'range'>
  readonly now: () => Date
  /** How long an answer is good enough for the next who asks. */
  readonly heldMs: number
}

type Held = { readonly atMs: number; readonly answer: Promise<ActivityDay[]> }

/** Sends and reads a day: 65 lists, each of at most as many entries as days are asked for, added up. */
export const createActivityReader = ({ readModel, now, heldMs }: Deps) => {
  /** By the number of days, of which the contract allows few. */
  const held = new Map<number, Held>()

  const read = async (days: number): Promise<ActivityDay[]> => {
    const today = dayAt(now())
    const first = today - days + 1
    const range = { from: first, to: today, order: 'ascending', limit: days } as const
    const [sends, ...reads] = await Promise.all([
      readModel.range(campaignPartition, sendsByDay, range),
      ...allBucketKeys.map((bucket) => readModel.range(bucket, readsByDay, range)),
    ])
    const sendsOf = new Map<number, Entry>(sends.map((entry) => [entry.score, entry]))
    const readsOf = new Map<number, number>()
    for (const entry of reads.flat()) readsOf.set(entry.score, (readsOf.get(entry.score) ?? 0) + dayReadsOf(entry))
    return Array.from({ length: days }, (_, index) => {
      const day = first + index
      return { date: dateOf(day), ...daySendsOf(sendsOf.get(day)), reads: readsOf.get(day) ?? 0 }
    })
  }

  /** The last days up to today, oldest first; those without any activity are among them. */
  return (days: number): Promise<ActivityDay[]> => {
    const atMs = now().getTime()
    const known = held.get(days)
    // A clock that was set back would have an answer hold for long.
    if (known && atMs >= known.atMs && atMs < known.atMs + heldMs) return known.answer
    const answer = read(days)
    held.set(days, { atMs, answer })
    answer.catch(() => held.delete(days))
    return answer
  }
}
export type ActivityReader = ReturnType<typeof createActivityReader>
