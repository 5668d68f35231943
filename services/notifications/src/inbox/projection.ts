import { happenedAt } from '@portal/contracts/shared/event-envelope'
import type { Projection } from '@portal/platform/projection/projection'
import { notificationsEventOf } from '../bus-messages.ts'
import { applyCampaignSent } from '../campaign/projection.ts'
import { inboxProjectionName } from '../read-model.ts'
import { applyArrivals } from './arrivals.ts'
import { applyAllRead, applyCovered, applyRead } from './reads.ts'
import { applySettlement } from './settlements.ts'

/**
 * Inboxes, sends and their progress. One projection, because the history of sends and the inboxes come from the same
 * messages: whoever follows a send waits for one position.
 */
export const inboxProjection: Projection = {
  name: inboxProjectionName,
  topics: ['notifications'],
  partitionOf: ({ type, key }) => (type.startsWith('PushToken') ? undefined : key),
  apply: async (envelope, view) => {
    const event = notificationsEventOf(envelope)
    switch (event.type) {
      case 'RecipientsTargeted':
        return applyArrivals(event.data, happenedAt(envelope), view)
      case 'RecipientsSettled':
        return applySettlement(event.data, view)
      case 'NotificationRead':
        return applyRead(event.data, happenedAt(envelope), view)
      case 'AllNotificationsRead':
        return applyAllRead(event.data, happenedAt(envelope), view)
      case 'ArrivalsCovered':
        return applyCovered(event.data, view)
      case 'CampaignSent':
        return applyCampaignSent(event.data, happenedAt(envelope), view)
      case 'PushTokenRegistered':
      case 'PushTokenRemoved':
        return []
    }
  },
}
