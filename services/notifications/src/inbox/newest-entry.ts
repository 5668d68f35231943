import { bucketKey } from '@portal/contracts/shared/buckets'
import type { UserId } from '@portal/contracts/shared/ids'
import type { Entry, ReadStore } from '@portal/platform/read-model/port'
import { type InboxHead, itemList, itemOf } from '../read-model.ts'

type EntryStore = Pick<ReadStore, 'range'>

/** The entry with the highest score, or with the highest one up to `to`. */
export const newestEntry = async (
  readModel: EntryStore,
  list: string,
  userId: UserId,
  to?: number,
): Promise<Entry | undefined> => {
  const range = { ...(to !== undefined && { to }), order: 'descending', limit: 1 } as const
  return (await readModel.range(bucketKey(userId), list, range))[0]
}

/**
 * The newest notification of an inbox that had arrived at a sequence number. Usually the newest of all, so it looks there
 * first. Otherwise a binary search: later arrivals have higher numbers.
 */
export const newestUpTo = async (
  readModel: EntryStore,
  userId: UserId,
  { total }: InboxHead,
  maxSeq: number,
): Promise<Entry | undefined> => {
  const arrivedBefore = (entry: Entry): boolean => itemOf(entry.value).seq <= maxSeq
  const newest = await newestEntry(readModel, itemList(userId), userId, total)
  if (newest === undefined || arrivedBefore(newest)) return newest
  let found: Entry | undefined
  let low = 1
  let high = newest.score - 1
  while (low <= high) {
    const middle = Math.ceil((low + high) / 2)
    const entry = await newestEntry(readModel, itemList(userId), userId, middle)
    if (entry && arrivedBefore(entry)) {
      found = entry
      low = middle + 1
    } else high = middle - 1
  }
  return found
}
