import { deliveryReasons } from '@portal/contracts/notifications/delivery-reasons'
import type { CampaignProgress } from '@portal/contracts/notifications/sent-item'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { ok, type Result } from '@portal/platform/decider/decider'
import { eventIdsOf } from '@portal/platform/decider/event-id'
import { handleCommand } from '@portal/platform/decider/handle-command'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import type { ReadStore } from '@portal/platform/read-model/port'
import { campaignList, campaignPartition, recipientsOf, recipientsRef, resentRef } from '../read-model.ts'
import { actionAttempts, type CampaignStates } from './campaign-states.ts'
import { campaignDecider, type CampaignRejection } from '../campaign/decider.ts'
import { pollUntil } from './poll-until.ts'
import type { CampaignProgressReader } from '../campaign/progress.ts'
import { sentCampaignOf } from '../campaign/projection.ts'

/** Counts the recipients whose delivery an admin stopped. Reads all recipients. */
const countCancelled = async (
  readModel: Pick<ReadStore, 'entry' | 'getMany'>,
  notificationId: NotificationId,
): Promise<number> => {
  const entry = await readModel.entry(campaignPartition, campaignList, notificationId)
  const buckets = entry ? sentCampaignOf(entry.value).buckets : []
  const documents = await readModel.getMany(
    [recipientsRef, resentRef].flatMap((refOf) => buckets.map((bucket) => refOf(bucket, notificationId))),
  )
  return documents
    .flatMap((document) => recipientsOf(document).settled)
    .filter(({ state, reason }) => state === 'cancelled' && reason === deliveryReasons.cancelledByAdmin)
    .reduce((sum, { userIds }) => sum + userIds.length, 0)
}

export type Cancelled = {
  /** Recipients whose delivery was stopped by an admin. */
  readonly cancelled: number
  /** Recipients with another outcome. */
  readonly alreadySent: number
  /** Recipients whose delivery is still in progress. */
  readonly pending: number
}

type CancelRequest = {
  readonly notificationId: NotificationId
  readonly requestedBy: UserId
  readonly reason: string
}

type CancelCampaignDeps = {
  readonly eventStore: Pick<EventStore, 'read' | 'append'>
  readonly readModel: Pick<ReadStore, 'entry' | 'getMany'>
  readonly progress: Pick<CampaignProgressReader, 'progressOf'>
  readonly states: CampaignStates
  readonly clockAndIds: Pick<ClockAndIds, 'newId' | 'elapsedMs'>
  /** How long to wait until nothing is pending. */
  readonly timeoutMs: number
}

/**
 * Cancels a campaign: the delivery worker stops what is pending and not being pushed. Waits for its outcomes, so the
 * answer says what was stopped. Repeating it records nothing and gives the same answer.
 */
export const createCancelCampaign = (deps: CancelCampaignDeps) => {
  const { eventStore, readModel, progress, states, clockAndIds, timeoutMs } = deps

  const progressOf = async (notificationId: NotificationId): Promise<CampaignProgress | undefined> => {
    const [found] = await progress.progressOf([notificationId])
    return found
  }

  /** The progress once nothing is pending, or after the timeout. */
  const waitUntilSettled = (notificationId: NotificationId): Promise<CampaignProgress | undefined> =>
    pollUntil(
      (current) => current?.pending === 0,
      () => progressOf(notificationId),
      { elapsedMs: clockAndIds.elapsedMs, timeoutMs },
    )

  /** Records the cancel. Returns the number of recipients. */
  const record = async (
    request: CancelRequest,
    metadata: EventMetadata,
  ): Promise<Result<number, CampaignRejection>> => {
    const { notificationId } = request
    const decided = await handleCommand(
      eventStore,
      campaignDecider,
      notificationId,
      { type: 'CancelCampaign', ...request },
      {
        // Deciding again after a lost answer records nothing, so the id need not be deterministic.
        eventId: eventIdsOf(clockAndIds.newId()),
        known: await states(notificationId),
        maxAttempts: actionAttempts,
        metadata,
      },
    )
    return decided.ok ? ok(decided.value.state.sent?.targeted ?? 0) : decided
  }

  return async (request: CancelRequest, metadata: EventMetadata): Promise<Result<Cancelled, CampaignRejection>> => {
    const { notificationId } = request
    const before = await progressOf(notificationId)
    if (before?.pending !== 0) {
      const recorded = await record(request, metadata)
      if (!recorded.ok) return recorded
      if (!before) return ok({ cancelled: 0, alreadySent: 0, pending: recorded.value })
    }
    const { targeted, pending, cancelled: allCancelled } = (await waitUntilSettled(notificationId)) ?? before
    const cancelled = allCancelled === 0 ? 0 : await countCancelled(readModel, notificationId)
    return ok({ cancelled, alreadySent: targeted - pending - cancelled, pending })
  }
}
export type CancelCampaign = ReturnType<typeof createCancelCampaign>
