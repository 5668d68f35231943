import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { ReadStore } from '@portal/platform/read-model/port'
import { readRecipientItems } from '../recipient-items.ts'
import { type InboxHead, itemOf, type ItemState, markList, markOf } from '../read-model.ts'

/** When a notification arrived in an inbox and was read. */
type RecipientTimes = { readonly deliveredAt?: string; readonly readAt?: string }

type Reads = Pick<ReadStore, 'entries' | 'getMany' | 'range'>

/** When a mark-all read the item; undefined if it did not. */
const coveredAt = async (readModel: Reads, userId: UserId, { seq }: ItemState): Promise<string | undefined> => {
  const marks = { from: seq, order: 'ascending', limit: 1 } as const
  const [mark] = await readModel.range(bucketKey(userId), markList(userId), marks)
  return mark && markOf(mark.value).at
}

/** A withdrawn item counts as read, but only a read before counts here. */
const readTime = async (
  readModel: Reads,
  userId: UserId,
  item: ItemState,
  { readUpTo }: InboxHead,
): Promise<string | undefined> => {
  if (item.readAt !== undefined) return item.readAt
  if (item.seq > readUpTo || item.wasUnread) return undefined
  return coveredAt(readModel, userId, item)
}

/** Reads the times of one item. */
export const timesOf = async (
  readModel: Reads,
  userId: UserId,
  item: ItemState,
  head: InboxHead,
): Promise<RecipientTimes> => {
  const readAt = await readTime(readModel, userId, item, head)
  return { deliveredAt: item.deliveredAt, ...(readAt !== undefined && { readAt }) }
}

/** Reads the times of some recipients of a campaign, in their order. At most 1,000 at once. */
export const readRecipientTimes = async (
  readModel: Reads,
  notificationId: NotificationId,
  userIds: readonly UserId[],
): Promise<readonly RecipientTimes[]> => {
  const byBucket = await Promise.all(
    [...Map.groupBy(userIds, bucketKey)].map(([bucket, users]) =>
      readRecipientItems(readModel, bucket, notificationId, users),
    ),
  )
  const items = new Map(byBucket.flatMap((found) => [...found]))
  return Promise.all(
    userIds.map(async (userId) => {
      const item = items.get(userId)
      return item?.entry ? timesOf(readModel, userId, itemOf(item.entry.value), item.head) : {}
    }),
  )
}
