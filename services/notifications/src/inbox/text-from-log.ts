import type { NotificationText } from '@portal/contracts/notifications/events'
import type { NotificationId } from '@portal/contracts/shared/ids'
import type { EventStore } from '@portal/platform/event-store/port'
import { streamOf } from '@portal/platform/event-store/stream-name'
import { campaignDecider } from '../campaign/decider.ts'

/** The text of a send as it was recorded; every stream of a send begins with it. */
export const textFromLog =
  (eventStore: Pick<EventStore, 'read'>) =>
  async (id: NotificationId): Promise<NotificationText | undefined> => {
    for await (const recorded of eventStore.read(streamOf(campaignDecider.category, id))) {
      const event = campaignDecider.parse(recorded)
      if (event.type === 'RecipientsTargeted' || event.type === 'CampaignSent') return event.data.text
    }
    return undefined
  }
