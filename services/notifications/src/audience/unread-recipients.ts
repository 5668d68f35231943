import { allBucketKeys } from '@portal/contracts/shared/buckets'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import { yieldToEventLoop } from '@portal/platform/async/event-loop-budget'
import type { ReadStore } from '@portal/platform/read-model/port'
import { headOf, headRef, isRead, itemList, itemOf, recipientsOf, recipientsRef } from '../read-model.ts'

type Reads = Pick<ReadStore, 'getMany' | 'entries'>

/** Reading this many inbox entries takes about two milliseconds. */
const readAtOnce = 200

/** A recipient without the entry in the inbox has nothing to read: the notification was stopped before. */
const readUnread = async (
  readModel: Reads,
  bucket: string,
  notificationId: NotificationId,
  userIds: readonly UserId[],
): Promise<readonly UserId[]> => {
  const [entries, heads] = await Promise.all([
    readModel.entries(
      bucket,
      userIds.map((userId) => ({ list: itemList(userId), member: notificationId })),
    ),
    readModel.getMany(userIds.map(headRef)),
  ])
  return userIds.filter((_, index) => {
    const entry = entries[index]
    return entry !== undefined && !isRead(itemOf(entry.value), headOf(heads[index]))
  })
}

/** Reads the recipients of a notification who have not read it. */
export const createUnreadRecipients =
  (readModel: { pinned(): Reads }) =>
  async (notificationId: NotificationId): Promise<ReadonlySet<UserId>> => {
    // One generation for entries and heads, because another one may number them differently.
    const reads = readModel.pinned()
    const unread = new Set<UserId>()
    const documents = await reads.getMany(allBucketKeys.map((bucket) => recipientsRef(bucket, notificationId)))
    for (const [index, bucket] of allBucketKeys.entries()) {
      const { pending, settled } = recipientsOf(documents[index])
      const recipients = [...pending, ...settled.flatMap(({ userIds }) => userIds)]
      for (let from = 0; from < recipients.length; from += readAtOnce) {
        await yieldToEventLoop()
        const some = recipients.slice(from, from + readAtOnce)
        for (const userId of await readUnread(reads, bucket, notificationId, some)) unread.add(userId)
      }
    }
    return unread
  }
export type UnreadRecipients = ReturnType<typeof createUnreadRecipients>
