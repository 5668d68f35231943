import { allBucketKeys } from '@portal/contracts/shared/buckets'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import { yieldToEventLoop } from '@portal/platform/async/event-loop-budget'
import type { ActiveGeneration } from '@portal/platform/generations/active-generation'
import type { ReadStore } from '@portal/platform/read-model/port'
import { LRUCache } from 'lru-cache'
import { readRecipientItems, type RecipientItem } from '../recipient-items.ts'
import { inboxProjectionName, itemOf, recipientsOf, recipientsRef, wasReadByUser } from '../read-model.ts'

type Reads = Pick<ReadStore, 'getMany' | 'entries'>

/** Reading this many inbox entries takes about two milliseconds. */
const readAtOnce = 200

/** About 12 MB of user ids. */
const maxCachedUsers = 200_000

/**
 * A recipient without the entry in the inbox has nothing to read: the notification was stopped before. One who has marked
 * it as unread has read it.
 */
const readUnread = async (
  readModel: Reads,
  bucket: string,
  notificationId: NotificationId,
  userIds: readonly UserId[],
): Promise<readonly UserId[]> => {
  const items = await readRecipientItems(readModel, bucket, notificationId, userIds)
  const hasNothingToRead = ({ entry, head }: RecipientItem): boolean => {
    const item = entry && itemOf(entry.value)
    return item === undefined || item.withdrawnAt !== undefined || wasReadByUser(item, head)
  }
  return [...items].flatMap(([userId, item]) => (hasNothingToRead(item) ? [] : [userId]))
}

const readBucket = async (readModel: Reads, bucket: string, notificationId: NotificationId) => {
  const [document] = await readModel.getMany([recipientsRef(bucket, notificationId)])
  const { pending, settled } = recipientsOf(document)
  const recipients = [...pending, ...settled.flatMap(({ userIds }) => userIds)]
  const unread: UserId[] = []
  for (let from = 0; from < recipients.length; from += readAtOnce) {
    await yieldToEventLoop()
    const some = recipients.slice(from, from + readAtOnce)
    unread.push(...(await readUnread(readModel, bucket, notificationId, some)))
  }
  return unread
}

type CachedBucket = { readonly version: string; readonly unread: readonly UserId[] }

/**
 * Reads the recipients of a notification who have not read it. Caches each bucket until its inboxes change, because
 * the send form counts the same rule again and again.
 */
export const createUnreadRecipients = (
  readModel: Pick<ActiveGeneration, 'pinned' | 'lineage' | 'positions'>,
): ((notificationId: NotificationId) => Promise<ReadonlySet<UserId>>) => {
  const cache = new LRUCache<string, CachedBucket>({
    maxSize: maxCachedUsers,
    sizeCalculation: ({ unread }) => unread.length + 1,
  })

  return async (notificationId) => {
    const lineage = readModel.lineage()
    // One generation for entries and heads, because another one may number them differently.
    const reads = readModel.pinned()
    const positions = await readModel.positions(inboxProjectionName)
    const all = new Set<UserId>()
    for (const bucket of allBucketKeys) {
      const version = `${lineage} ${positions[bucket]}`
      const key = `${bucket} ${notificationId}`
      const cached = cache.get(key)
      const isCurrent = cached?.version === version
      const unread = isCurrent ? cached.unread : await readBucket(reads, bucket, notificationId)
      if (!isCurrent) cache.set(key, { version, unread })
      for (const userId of unread) all.add(userId)
    }
    return all
  }
}
export type UnreadRecipients = ReturnType<typeof createUnreadRecipients>
