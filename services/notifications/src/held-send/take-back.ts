import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import { rejected, type Result } from '@portal/platform/decider/decider'
import { deterministicEventId } from '@portal/platform/decider/event-id'
import { handleCommand, loadState } from '@portal/platform/decider/handle-command'
import type { EventMetadata, EventStore, Position } from '@portal/platform/event-store/port'
import { campaignDecider, type CampaignRejection } from '../campaign/decider.ts'

/** It may be sent meanwhile. */
const takeBackAttempts = 10

type TakeBackRequest = {
  readonly notificationId: NotificationId
  /** The sender, or the portal itself. */
  readonly takenBackBy: UserId
  /** Rejects the send of another admin. */
  readonly sentBy?: UserId
}

/** Takes a held campaign back, unless it was sent. Nobody gets it then. */
export const createTakeBack =
  (eventStore: Pick<EventStore, 'append' | 'read'>) =>
  async (
    { notificationId, takenBackBy, sentBy }: TakeBackRequest,
    metadata: EventMetadata,
  ): Promise<Result<{ readonly position: Position | undefined }, CampaignRejection>> => {
    const known = await loadState(eventStore, campaignDecider, notificationId)
    const { held } = known.state
    if (!held || (sentBy !== undefined && held.sentBy !== sentBy)) return rejected({ reason: 'not-sent' })
    const command = { type: 'TakeBackCampaign', notificationId, takenBackBy } as const
    return handleCommand(eventStore, campaignDecider, notificationId, command, {
      eventId: () => deterministicEventId('taken-back', notificationId),
      known,
      maxAttempts: takeBackAttempts,
      metadata,
    })
  }
export type TakeBack = ReturnType<typeof createTakeBack>
