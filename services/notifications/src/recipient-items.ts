import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import type { Entry, ReadStore } from '@portal/platform/read-model/port'
import { headOf, headRef, type InboxHead, itemList } from './read-model.ts'

/** `entry` is undefined if the inbox has no entry of the notification. */
export type RecipientItem = { readonly entry: Entry | undefined; readonly head: InboxHead }

/** Reads one notification in several inboxes of a bucket, in the order of the users. At most 1,000 at once. */
export const readRecipientItems = async (
  readModel: Pick<ReadStore, 'entries' | 'getMany'>,
  bucket: string,
  notificationId: NotificationId,
  userIds: readonly UserId[],
): Promise<ReadonlyMap<UserId, RecipientItem>> => {
  const [entries, heads] = await Promise.all([
    readModel.entries(
      bucket,
      userIds.map((userId) => ({ list: itemList(userId), member: notificationId })),
    ),
    readModel.getMany(userIds.map(headRef)),
  ])
  return new Map(userIds.map((userId, index) => [userId, { entry: entries[index], head: headOf(heads[index]) }]))
}
