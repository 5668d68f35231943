import type { Publisher } from '@portal/platform/bus/publisher'
import { notificationsMessage } from '../bus-messages.ts'
import { campaignPartition } from '../read-model.ts'
import { campaignDecider } from './decider.ts'

/**
 * A stored chunk spans buckets. On the bus each bucket gets its own message, so that changes to one inbox stay in
 * order.
 */
export const campaignPublisher: Publisher = {
  category: campaignDecider.category,
  topics: ['notifications'],
  publish: (recorded) => {
    const event = campaignDecider.parse(recorded)
    switch (event.type) {
      case 'RecipientsTargeted': {
        const { text, recipients } = event.data
        return recipients.map(({ bucket, userIds }) =>
          notificationsMessage(bucket, { type: 'RecipientsTargeted', data: { text, bucket, userIds } }),
        )
      }
      case 'CampaignSent': {
        const { text, sentBy, targeted, buckets } = event.data
        return [
          notificationsMessage(campaignPartition, { type: 'CampaignSent', data: { text, sentBy, targeted, buckets } }),
        ]
      }
      case 'RecipientsSettled': {
        const { notificationId, settled } = event.data
        return settled.map(({ bucket, outcomes }) =>
          notificationsMessage(bucket, { type: 'RecipientsSettled', data: { notificationId, bucket, outcomes } }),
        )
      }
      // Internal: only retries of the request need it.
      case 'SenderAnswered':
        return []
    }
  },
}
