import type { ReadModelView } from '@portal/platform/projection/projection'
import type { Write } from '@portal/platform/read-model/port'
import type { NotificationsEventOf } from '../bus-messages.ts'
import { headRef, itemList, put, recipientsRef, tallyRef, textRef } from '../read-model.ts'
import { headOf, type InboxHead, recipientsOf, tallyOf } from './documents.ts'

const afterArrival = (head: InboxHead): InboxHead => ({
  ...head,
  seq: head.seq + 1,
  total: head.total + 1,
  unread: head.unread + 1,
})

/**
 * A chunk of recipients gets the notification: two writes each, all items and then all heads, because an adapter
 * writes a run of the same kind at once. The text is written first and apart: no page may show an item without it.
 */
export const applyArrivals = async (
  { text, bucket, userIds }: NotificationsEventOf<'RecipientsTargeted'>['data'],
  at: string,
  view: ReadModelView,
): Promise<readonly Write[]> => {
  await view.putImmutable(textRef(text.notificationId), text)
  const tally = tallyRef(bucket, text.notificationId)
  const recipients = recipientsRef(bucket, text.notificationId)
  const [knownTally, knownRecipients, heads] = await Promise.all([
    view.get(tally),
    view.get(recipients),
    view.getMany(userIds.map(headRef)),
  ])

  const items: Write[] = []
  const newHeads: Write[] = []
  for (const [index, userId] of userIds.entries()) {
    const head = afterArrival(headOf(heads[index]))
    const value = { seq: head.seq, deliveredAt: at }
    items.push({ op: 'add', list: itemList(userId), member: text.notificationId, score: head.total, value })
    newHeads.push(put(headRef(userId), head))
  }
  const { targeted, ...sums } = tallyOf(knownTally)
  const { pending, settled } = recipientsOf(knownRecipients)
  return [
    ...items,
    ...newHeads,
    put(tally, { ...sums, targeted: targeted + userIds.length }),
    put(recipients, { pending: [...pending, ...userIds], settled }),
  ]
}
