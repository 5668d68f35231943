import type { NotificationId } from '@portal/contracts/shared/ids'
import { type LoadedState, loadState } from '@portal/platform/decider/handle-command'
import type { EventStore, Position } from '@portal/platform/event-store/port'
import { LRUCache } from 'lru-cache'
import { campaignDecider, type CampaignState } from '../campaign/decider.ts'

/** A recorded ResendRequested event. */
export type RecordedResend = {
  readonly eventId: string
  readonly position: Position
  readonly buckets: readonly string[]
  readonly recipients: number
}

export type LoadedCampaign = LoadedState<CampaignState> & {
  /** Resends in the order of the log. */
  readonly resends: readonly RecordedResend[]
}

const maxCampaigns = 100

/**
 * Loads campaigns for the actions of admins. The stream of a large campaign has megabytes of recipients and outcomes, so
 * the newest campaigns are kept, and a further action reads only later events.
 */
export const createCampaignStates = (eventStore: Pick<EventStore, 'read'>) => {
  const known = new LRUCache<NotificationId, LoadedCampaign>({ max: maxCampaigns })

  return async (notificationId: NotificationId): Promise<LoadedCampaign> => {
    const before = known.get(notificationId)
    const resends = [...(before?.resends ?? [])]
    const { state, revision } = await loadState(
      eventStore,
      campaignDecider,
      notificationId,
      (event, { id: eventId, position }) => {
        if (event.type !== 'ResendRequested') return
        const { recipients } = event.data
        resends.push({
          eventId,
          position,
          buckets: recipients.map(({ bucket }) => bucket),
          recipients: recipients.reduce((sum, { userIds }) => sum + userIds.length, 0),
        })
      },
      before,
    )
    const loaded: LoadedCampaign = { state, revision, resends }
    if (state.sent) known.set(notificationId, loaded)
    return loaded
  }
}
export type CampaignStates = ReturnType<typeof createCampaignStates>

/** Outcomes are appended meanwhile, so an action may have to decide several times. Each time reads only new events. */
export const actionAttempts = 20
