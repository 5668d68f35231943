import type { UserId } from '@portal/contracts/shared/ids'
import type { ReadModelView } from '@portal/platform/projection/projection'
import type { Write } from '@portal/platform/read-model/port'
import type { NotificationsEventOf } from '../bus-messages.ts'
import {
  headRef,
  type InboxHead,
  isRead,
  itemList,
  itemOf,
  put,
  recipientsOf,
  recipientsRef,
  tallyOf,
  tallyRef,
  textRef,
  wasReadByUser,
} from '../read-model.ts'
import { keepChange } from './kept-changes.ts'
import { readRecipientItems } from '../recipient-items.ts'
import { erasedText } from './stored-text.ts'

const afterRecall = (head: InboxHead, isUnread: boolean): InboxHead => ({
  ...head,
  seq: head.seq + 1,
  unread: head.unread - (isUnread ? 1 : 0),
})

/** The recipients of one slice, in the order of their ids. Withheld ones have no entry, and slices do not count them. */
const recipientsOfSlice = async (
  { notificationId, bucket, skip, take }: NotificationsEventOf<'EntriesWithdrawn'>['data'],
  view: ReadModelView,
): Promise<readonly UserId[]> => {
  const { pending, settled } = recipientsOf(await view.get(recipientsRef(bucket, notificationId)))
  const reached = settled.filter(({ isWithheld }) => isWithheld !== true)
  return [...pending, ...reached.flatMap(({ userIds }) => userIds)].toSorted().slice(skip, skip + take)
}

/**
 * Withdraws the notification from some inboxes: it counts as read, and the line stays, because arrival numbers have
 * no gaps. Skips recipients without an entry and entries that are withdrawn already.
 */
export const applyEntriesWithdrawn = async (
  slice: NotificationsEventOf<'EntriesWithdrawn'>['data'],
  at: string,
  view: ReadModelView,
): Promise<readonly Write[]> => {
  const { notificationId, bucket } = slice
  const tally = tallyRef(bucket, notificationId)
  const userIds = await recipientsOfSlice(slice, view)
  const [knownTally, recipients] = await Promise.all([
    view.get(tally),
    readRecipientItems(view, bucket, notificationId, userIds),
  ])

  // Consecutive writes of the same kind, because adapters batch them.
  const items: Write[] = []
  const changes: Write[] = []
  const newHeads: Write[] = []
  for (const [userId, { entry, head: before }] of recipients) {
    if (!entry) continue
    const item = itemOf(entry.value)
    if (item.withdrawnAt !== undefined) continue
    const head = afterRecall(before, !isRead(item, before))
    const wasUnread = !wasReadByUser(item, before)
    const value = { ...item, withdrawnAt: at, ...(wasUnread && { wasUnread }) }
    items.push({ op: 'add', list: itemList(userId), member: notificationId, score: entry.score, value })
    changes.push(keepChange(userId, head, { kind: 'recalled', notificationId, withdrawnAt: at }))
    newHeads.push(put(headRef(userId), head))
  }
  if (items.length === 0) return []
  const counted = tallyOf(knownTally)
  const recalled = (counted.recalled ?? 0) + items.length
  return [...items, ...changes, ...newHeads, put(tally, { ...counted, recalled })]
}

/** Overwrites the text. A bucket that is behind cannot restore it, because `putImmutable` keeps what is there. */
export const applyTextErased = ({ notificationId }: NotificationsEventOf<'TextErased'>['data']): readonly Write[] => [
  put(textRef(notificationId), erasedText),
]
