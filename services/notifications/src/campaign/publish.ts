import { deliveryReasons } from '@portal/contracts/notifications/delivery-reasons'
import type { NotificationsEvent } from '@portal/contracts/notifications/events'
import type { NotificationId } from '@portal/contracts/shared/ids'
import type { OutgoingMessage, Publisher } from '@portal/platform/bus/publisher'
import { notificationsMessage } from '../bus-messages.ts'
import { campaignPartition, textRef } from '../read-model.ts'
import { campaignDecider } from './decider.ts'
import type { CampaignEvent, CampaignEventOf } from './events.ts'

const aboutCampaign = (event: NotificationsEvent): OutgoingMessage => notificationsMessage(campaignPartition, event)

const listedOf = (
  { text, says, sendAt, sentBy }: CampaignEventOf<'SendScheduled' | 'ScheduledSendChanged'>['data'],
  version: number,
) => ({ notificationId: text.notificationId, title: text.title, says, sendAt, sentBy, version })

const stopDeliveries = (
  notificationId: NotificationId,
  buckets: readonly string[],
  reason: string,
): readonly OutgoingMessage[] =>
  buckets.map((bucket) =>
    notificationsMessage(bucket, { type: 'DeliveryStopped', data: { notificationId, bucket, reason } }),
  )

const publishRecall = ({
  notificationId,
  recalledBy,
  reason,
  buckets,
}: CampaignEventOf<'CampaignRecalled'>['data']): readonly OutgoingMessage[] => [
  aboutCampaign({
    type: 'CampaignRecalled',
    data: { notificationId, recalledBy, ...(reason !== undefined && { reason }) },
  }),
  ...stopDeliveries(notificationId, buckets, deliveryReasons.withdrawn),
  notificationsMessage(textRef(notificationId).partition, { type: 'TextErased', data: { notificationId } }),
]

const publishResend = ({
  notificationId,
  requestedBy,
  reason,
  attempt,
  recipients,
}: CampaignEventOf<'ResendRequested'>['data']): readonly OutgoingMessage[] => [
  ...recipients.map(({ bucket, userIds }) =>
    notificationsMessage(bucket, { type: 'RecipientsResent', data: { notificationId, bucket, userIds, attempt } }),
  ),
  aboutCampaign({
    type: 'ResendRequested',
    data: {
      notificationId,
      requestedBy,
      ...(reason !== undefined && { reason }),
      attempt,
      recipients: recipients.reduce((sum, { userIds }) => sum + userIds.length, 0),
    },
  }),
]

const messagesOf = (event: CampaignEvent): readonly OutgoingMessage[] => {
  switch (event.type) {
    case 'RecipientsTargeted': {
      const { text, recipients } = event.data
      return recipients.map(({ bucket, userIds }) =>
        notificationsMessage(bucket, { type: 'RecipientsTargeted', data: { text, bucket, userIds } }),
      )
    }
    case 'CampaignSent': {
      const { fingerprint: _, ...data } = event.data
      return [aboutCampaign({ type: 'CampaignSent', data })]
    }
    case 'CampaignPlanned': {
      const { fingerprint: _, planId: __, ...data } = event.data
      return [aboutCampaign({ type: 'CampaignPlanned', data })]
    }
    case 'CampaignHeld': {
      const { text, sentBy, targeted, dueAt } = event.data
      const { notificationId, title } = text
      return [aboutCampaign({ type: 'CampaignHeld', data: { notificationId, title, sentBy, targeted, dueAt } })]
    }
    case 'CampaignTakenBack': {
      const { notificationId, sentBy } = event.data
      return [aboutCampaign({ type: 'CampaignTakenBack', data: { notificationId, sentBy } })]
    }
    case 'SendScheduled':
      return [aboutCampaign({ type: 'SendScheduled', data: listedOf(event.data, 1) })]
    case 'ScheduledSendChanged': {
      const { changedBy, version } = event.data
      return [aboutCampaign({ type: 'ScheduledSendChanged', data: { ...listedOf(event.data, version), changedBy } })]
    }
    case 'ScheduledSendDiscarded':
    case 'ScheduledSendMissed':
      return [aboutCampaign(event)]
    case 'RecipientsWithheld': {
      const { notificationId, recipients, reason } = event.data
      return recipients.map(({ bucket, userIds }) =>
        notificationsMessage(bucket, {
          type: 'RecipientsWithheld',
          data: { notificationId, bucket, userIds, reason },
        }),
      )
    }
    case 'RecipientsSettled': {
      const { notificationId, settled } = event.data
      return settled.map(({ bucket, outcomes }) =>
        notificationsMessage(bucket, { type: 'RecipientsSettled', data: { notificationId, bucket, outcomes } }),
      )
    }
    case 'RecipientsPostponed': {
      const { recipients, ...data } = event.data
      return recipients.map(({ bucket, userIds }) =>
        notificationsMessage(bucket, { type: 'RecipientsPostponed', data: { ...data, bucket, userIds } }),
      )
    }
    case 'CancelRequested': {
      const { buckets, ...data } = event.data
      return [
        aboutCampaign({ type: 'CancelRequested', data }),
        ...stopDeliveries(data.notificationId, buckets, deliveryReasons.cancelledByAdmin),
      ]
    }
    case 'ResendRequested':
      return publishResend(event.data)
    case 'CampaignRecalled':
      return publishRecall(event.data)
    case 'EntriesWithdrawn': {
      const { notificationId, buckets, skip, take } = event.data
      return buckets.map((bucket) =>
        notificationsMessage(bucket, { type: 'EntriesWithdrawn', data: { notificationId, bucket, skip, take } }),
      )
    }
    case 'RecipientsExported':
      return [aboutCampaign(event)]
    // Internal: only retries of the request and the distributor need them.
    case 'SenderAnswered':
    case 'RecipientsPlanned':
      return []
  }
}

/**
 * A stored chunk spans buckets. On the bus each bucket gets its own message, so that changes to one inbox stay in
 * order.
 */
export const campaignPublisher: Publisher = {
  category: campaignDecider.category,
  topics: ['notifications'],
  publish: (recorded) => messagesOf(campaignDecider.parse(recorded)),
}
