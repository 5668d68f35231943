import type { NotificationText } from '@portal/contracts/notifications/events'
import type { NotificationId } from '@portal/contracts/shared/ids'
import { type LoadedState, loadState } from '@portal/platform/decider/handle-command'
import type { EventStore } from '@portal/platform/event-store/port'
import { campaignDecider, type CampaignState, type PlannedChunk } from '../campaign/decider.ts'

export type Plan = {
  readonly planId: string
  readonly text: NotificationText
  readonly chunks: readonly PlannedChunk[]
  /** The campaign when the plan was read. */
  readonly loaded: LoadedState<CampaignState>
}

/** Reads the plan of a campaign that an event accepts. Undefined if there is none. */
export const readPlan = async (
  eventStore: Pick<EventStore, 'read'>,
  notificationId: NotificationId,
  acceptedBy: 'CampaignPlanned' | 'CampaignHeld' = 'CampaignPlanned',
): Promise<Plan | undefined> => {
  // Crashed attempts leave plans that were never accepted.
  const plans = new Map<string, PlannedChunk[]>()
  let accepted: Omit<Plan, 'loaded'> | undefined
  const loaded = await loadState(eventStore, campaignDecider, notificationId, (event) => {
    if (event.type === 'RecipientsPlanned') {
      const { planId, recipients } = event.data
      const chunks = plans.get(planId)
      if (chunks) chunks.push(recipients)
      else plans.set(planId, [recipients])
    } else if ((event.type === 'CampaignPlanned' || event.type === 'CampaignHeld') && event.type === acceptedBy) {
      const { planId, text } = event.data
      accepted = { planId, text, chunks: plans.get(planId) ?? [] }
      plans.clear()
    }
  })
  return accepted && { ...accepted, loaded }
}
