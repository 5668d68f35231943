import { eventTime } from '@portal/contracts/shared/event-envelope'
import type { Projection, ReadModelView } from '@portal/platform/projection/projection'
import type { Write } from '@portal/platform/read-model/port'
import { type NotificationsEventOf, notificationsEventOf } from '../bus-messages.ts'
import { bucketDayRef, countArrivals, dayAt } from '../activity/counts.ts'
import { applyCampaignAction } from '../actions/campaign-actions.ts'
import { applyCampaignSent } from '../campaign/projection.ts'
import { addHeld, removeHeld } from '../held-send/held-list.ts'
import { applyMissed, applyScheduled, removeScheduled } from '../scheduled-send/scheduled-list.ts'
import {
  headOf,
  headRef,
  type InboxHead,
  inboxProjectionRef,
  itemList,
  put,
  recipientsOf,
  recipientsRef,
  tallyOf,
  tallyRef,
  textRef,
} from '../read-model.ts'
import { applyOutcomes, applyResent } from './outcomes.ts'
import { applyClick } from './clicks.ts'
import { applyUnseenMail } from './emailed.ts'
import { applyPostponed } from './postponed.ts'
import { applyMarkedUnread } from './mark-unread.ts'
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
  const [knownTally, knownRecipients, knownDay, heads] = await Promise.all([
    view.get(tally),
    view.get(recipients),
    view.get(bucketDayRef(bucket, dayAt(new Date(at)))),
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
    countArrivals(bucket, at, knownDay, userIds.length),
  ]
}

/** Types that concern neither inboxes nor campaigns. */
const othersTypes: ReadonlySet<string> = new Set([
  'PreferencesChanged',
  'DraftSaved',
  'DraftDiscarded',
  'TemplateCreated',
  'TemplateChanged',
  'TemplateDeleted',
  'TemplateUsed',
  'AuditExported',
  'PeopleExported',
  'LearnersExported',
  'OperationRun',
])

/**
 * Inboxes, campaigns and their progress. One projection, because they come from the same messages: a sender waits
 * for one position.
 */
export const inboxProjection: Projection = {
  ...inboxProjectionRef,
  topics: ['notifications'],
  partitionOf: ({ type, key }) => (type.startsWith('PushToken') || othersTypes.has(type) ? undefined : key),
  apply: async (envelope, view) => {
    const event = notificationsEventOf(envelope)
    switch (event.type) {
      case 'RecipientsTargeted':
        return applyArrivals(event.data, eventTime(envelope), view)
      case 'RecipientsSettled':
        return applyOutcomes(event.data, eventTime(envelope), view)
      case 'RecipientsPostponed':
        return applyPostponed(event.data, view)
      case 'RecipientsResent':
        return applyResent(event.data, view)
      case 'NotificationRead':
        return applyRead(event.data, eventTime(envelope), view)
      case 'NotificationMarkedUnread':
        return applyMarkedUnread(event.data, view)
      case 'ButtonClicked':
        return applyClick(event.data, eventTime(envelope), view)
      case 'AllNotificationsRead':
        return applyAllRead(event.data, eventTime(envelope), view)
      case 'ArrivalsCovered':
        return applyCovered(event.data, view)
      case 'CampaignSent':
      case 'CampaignPlanned':
        return [
          ...(await applyCampaignSent(event.data, eventTime(envelope), view)),
          ...(await applyCampaignAction(event, envelope, view)),
          removeHeld(event.data.text.notificationId),
          removeScheduled(event.data.text.notificationId),
        ]
      case 'CampaignHeld':
        return addHeld(event.data)
      case 'CampaignTakenBack':
        return [removeHeld(event.data.notificationId)]
      case 'SendScheduled':
      case 'ScheduledSendChanged':
        return applyScheduled(event.data, view)
      case 'ScheduledSendMissed':
        return applyMissed(event.data, view)
      case 'ScheduledSendDiscarded':
        return [removeScheduled(event.data.notificationId)]
      case 'CancelRequested':
      case 'ResendRequested':
      case 'CampaignRecalled':
      case 'RecipientsExported':
        return applyCampaignAction(event, envelope, view)
      case 'EntriesWithdrawn':
        return applyEntriesWithdrawn(event.data, eventTime(envelope), view)
      case 'TextErased':
        return applyTextErased(event.data)
      case 'RecipientsWithheld':
        return applyWithheld(event.data, view)
      case 'UnseenMailSent':
        return applyUnseenMail(event.data, eventTime(envelope), view)
      case 'DeliveryStopped':
      case 'PushTokenRegistered':
      case 'PushTokenUsed':
      case 'PushTokenRevoked':
      case 'PushTokenRemoved':
      case 'PreferencesChanged':
      case 'DraftSaved':
      case 'DraftDiscarded':
      case 'TemplateCreated':
      case 'TemplateChanged':
      case 'TemplateDeleted':
      case 'TemplateUsed':
      case 'AuditExported':
      case 'PeopleExported':
      case 'LearnersExported':
      case 'OperationRun':
        return []
    }
  },
}
