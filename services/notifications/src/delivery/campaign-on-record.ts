import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import type { EventStore } from '@portal/platform/event-store/port'
import { streamOf } from '@portal/platform/event-store/stream-name'
import { campaignDecider } from '../campaign/decider.ts'

export type CampaignOnRecord = {
  /** Those who have an outcome. */
  readonly settled: ReadonlySet<UserId>
}

/** What the log says of a send: a read model may be behind, or be about to be built anew. */
export const readCampaign = async (
  eventStore: Pick<EventStore, 'read'>,
  notificationId: NotificationId,
): Promise<CampaignOnRecord> => {
  const settled = new Set<UserId>()
  for await (const recorded of eventStore.read(streamOf(campaignDecider.category, notificationId))) {
    const event = campaignDecider.parse(recorded)
    if (event.type !== 'RecipientsSettled') continue
    for (const { outcomes } of event.data.settled) for (const { userId } of outcomes) settled.add(userId)
  }
  return { settled }
}
