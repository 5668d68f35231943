import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { ok, type Result } from '@portal/platform/decider/decider'
import { eventIdsOf } from '@portal/platform/decider/event-id'
import { handleCommand } from '@portal/platform/decider/handle-command'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import type { ReadStore } from '@portal/platform/read-model/port'
import { campaignList, campaignPartition } from '../read-model.ts'
import { actionAttempts, type CampaignStates } from './campaign-states.ts'
import { campaignDecider, type CampaignRejection } from '../campaign/decider.ts'
import { pollUntil } from './poll-until.ts'
import type { CampaignProgressReader } from '../campaign/progress.ts'
import { sentCampaignOf } from '../campaign/projection.ts'

export type Recalled = {
  /** Inboxes that had the notification. */
  readonly recalled: number
  /** Whether it has gone from all of them. */
  readonly isApplied: boolean
}

type RecallRequest = {
  readonly notificationId: NotificationId
  readonly requestedBy: UserId
  readonly reason: string
}

type RecallCampaignDeps = {
  readonly eventStore: Pick<EventStore, 'read' | 'append'>
  readonly readModel: Pick<ReadStore, 'entry'>
  readonly progress: Pick<CampaignProgressReader, 'progressOf'>
  readonly states: CampaignStates
  readonly clockAndIds: Pick<ClockAndIds, 'newId' | 'elapsedMs'>
  /** How long to wait until all inboxes have applied it. */
  readonly timeoutMs: number
}

/**
 * Recalls a campaign. Waits until the history and all inboxes show it. It polls them instead of waiting for a
 * position, because a repeated recall has none. Repeating it records nothing and gives the same answer.
 */
export const createRecallCampaign = (deps: RecallCampaignDeps) => {
  const { eventStore, readModel, progress, states, clockAndIds, timeoutMs } = deps

  const isRecalledFrom = async (notificationId: NotificationId, inboxes: number): Promise<boolean> => {
    const entry = await readModel.entry(campaignPartition, campaignList, notificationId)
    if (entry === undefined || sentCampaignOf(entry.value).recalledAt === undefined) return false
    const [current] = await progress.progressOf([notificationId])
    return (current?.recalled ?? 0) >= inboxes
  }

  const waitUntilApplied = (notificationId: NotificationId, inboxes: number): Promise<boolean> =>
    pollUntil(
      (isApplied) => isApplied,
      () => isRecalledFrom(notificationId, inboxes),
      { elapsedMs: clockAndIds.elapsedMs, timeoutMs },
    )

  return async (request: RecallRequest, metadata: EventMetadata): Promise<Result<Recalled, CampaignRejection>> => {
    const { notificationId } = request
    const decided = await handleCommand(
      eventStore,
      campaignDecider,
      notificationId,
      { type: 'RecallCampaign', ...request },
      {
        // Deciding again after a lost answer records nothing, so the id need not be deterministic.
        eventId: eventIdsOf(clockAndIds.newId()),
        known: await states(notificationId),
        maxAttempts: actionAttempts,
        metadata,
      },
    )
    if (!decided.ok) return decided
    // No recipient gets it after the recall, so this number does not change.
    const recalled = Object.values(decided.value.state.distributed).reduce((sum, count) => sum + count, 0)
    return ok({ recalled, isApplied: await waitUntilApplied(notificationId, recalled) })
  }
}
export type RecallCampaign = ReturnType<typeof createRecallCampaign>
