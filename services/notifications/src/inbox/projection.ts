import { eventTime } from '@portal/contracts/shared/event-envelope'
import type { Projection, ReadModelView } from '@portal/platform/projection/projection'
import type { Write } from '@portal/platform/read-model/port'
import { type NotificationsEventOf, notificationsEventOf } from '../bus-messages.ts'
import { activityRef, countDeliveries, isDelivered } from '../campaign/campaign-activity.ts'
import { applyCampaignAction } from '../campaign/campaign-actions.ts'
import { applyCampaignSent } from '../campaign/projection.ts'
import {
  headOf,
  headRef,
  type InboxHead,
  inboxProjectionRef,
  itemList,
  type OutcomeGroup,
  put,
  recipientsOf,
  recipientsRef,
  tallyOf,
  tallyRef,
  textRef,
} from '../read-model.ts'
import { applyAllRead, applyCovered, applyRead } from './reads.ts'
import { applyWithheld } from './withheld.ts'
import { applyEntriesWithdrawn, applyTextErased } from './withdrawals.ts'

const afterArrival = (head: InboxHead): InboxHead => ({
  ...head,
  seq: head.seq + 1,
  total: head.total + 1,
  unread: head.unread + 1,
})

/**
 * Adds a notification to a chunk of recipients with two writes each. All items precede all heads, because adapters
 * batch consecutive writes of the same kind. The content is written before, separately, so that no page shows an
 * item without it.
 */
const applyArrivals = async (
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
  const { pending, ...others } = recipientsOf(knownRecipients)
  return [
    ...items,
    ...newHeads,
    put(tally, { ...sums, targeted: targeted + userIds.length }),
    put(recipients, { ...others, pending: [...pending, ...userIds] }),
  ]
}

type End = Pick<OutcomeGroup, 'state' | 'reason' | 'isWithheld'>
const sameEnd = (a: End, b: End): boolean =>
  a.state === b.state && a.reason === b.reason && a.isWithheld === b.isWithheld

/**
 * Applies delivery outcomes. Each recipient's first outcome in the log wins, so writers need no lock. Later
 * outcomes, and those of non-recipients, change nothing.
 */
const applyOutcomes = async (
  { notificationId, bucket, outcomes }: NotificationsEventOf<'RecipientsSettled'>['data'],
  at: string,
  view: ReadModelView,
): Promise<readonly Write[]> => {
  const refs = {
    tally: tallyRef(bucket, notificationId),
    recipients: recipientsRef(bucket, notificationId),
    activity: activityRef(bucket, notificationId),
  }
  const [knownTally, knownRecipients, knownActivity] = await Promise.all([
    view.get(refs.tally),
    view.get(refs.recipients),
    view.get(refs.activity),
  ])
  const before = recipientsOf(knownRecipients)
  const pending = new Set(before.pending)
  const settled = before.settled.map((group) => ({ ...group, userIds: [...group.userIds] }))
  const tally = { ...tallyOf(knownTally) }
  let delivered = 0
  for (const { userId, ...end } of outcomes) {
    if (!pending.delete(userId)) continue
    tally[end.state] += 1
    if (isDelivered(end.state)) delivered += 1
    const group = settled.find((known) => sameEnd(known, end))
    if (group) group.userIds.push(userId)
    else settled.push({ ...end, userIds: [userId] })
  }
  if (pending.size === before.pending.length) return []
  return [
    put(refs.recipients, { pending: [...pending], settled }),
    put(refs.tally, tally),
    ...countDeliveries(refs.activity, knownActivity, at, delivered),
  ]
}

/**
 * Inboxes, campaigns and their progress. One projection, because they come from the same messages: a sender waits
 * for one position.
 */
export const inboxProjection: Projection = {
  ...inboxProjectionRef,
  topics: ['notifications'],
  partitionOf: ({ type, key }) => (type.startsWith('PushToken') ? undefined : key),
  apply: async (envelope, view) => {
    const event = notificationsEventOf(envelope)
    switch (event.type) {
      case 'RecipientsTargeted':
        return applyArrivals(event.data, eventTime(envelope), view)
      case 'RecipientsSettled':
        return applyOutcomes(event.data, eventTime(envelope), view)
      case 'NotificationRead':
        return applyRead(event.data, eventTime(envelope), view)
      case 'AllNotificationsRead':
        return applyAllRead(event.data, eventTime(envelope), view)
      case 'ArrivalsCovered':
        return applyCovered(event.data, view)
      case 'CampaignSent':
      case 'CampaignPlanned':
        return [
          ...(await applyCampaignSent(event.data, eventTime(envelope), view)),
          ...(await applyCampaignAction(event, eventTime(envelope), view)),
        ]
      case 'CancelRequested':
      case 'ResendRequested':
      case 'CampaignRecalled':
      case 'RecipientsExported':
        return applyCampaignAction(event, eventTime(envelope), view)
      case 'EntriesWithdrawn':
        return applyEntriesWithdrawn(event.data, eventTime(envelope), view)
      case 'TextErased':
        return applyTextErased(event.data)
      case 'RecipientsWithheld':
        return applyWithheld(event.data, view)
      case 'RecipientsResent':
      case 'DeliveryStopped':
      case 'PushTokenRegistered':
      case 'PushTokenRemoved':
        return []
    }
  },
}
