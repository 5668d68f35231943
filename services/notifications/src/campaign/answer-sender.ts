import type { NotificationId } from '@portal/contracts/shared/ids'
import { deterministicEventId } from '@portal/platform/decider/event-id'
import { handleCommand } from '@portal/platform/decider/handle-command'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import { waitForProjection } from '@portal/platform/projection/wait-for-projection'
import type { Checkpoints } from '@portal/platform/read-model/port'
import type { Logger } from 'pino'
import type { SeenCounter } from '../seen-reports.ts'
import { campaignPartition, inboxProjectionRef } from '../read-model.ts'
import { campaignDecider } from './decider.ts'
import type { RecordedCampaign } from './record-campaign.ts'

export type SendAnswer = {
  readonly notificationId: NotificationId
  /** Open devices that showed the notification in time. */
  readonly successCount: number
  readonly targeted: number
}

/** A large campaign is being distributed meanwhile, and each append to its stream can conflict. */
const answerAttempts = 50

export type AnswerDeps = {
  readonly eventStore: Pick<EventStore, 'read' | 'append'>
  readonly readModel: Pick<Checkpoints, 'whenApplied'>
  readonly seenCounter: SeenCounter
  /** How long the response waits for open devices. */
  readonly seenTimeoutMs: number
  readonly logger: Pick<Logger, 'warn'>
}

/** Answers the sender of a recorded campaign, once it is projected and open devices had time to show it. */
export const createAnswerSender = ({ eventStore, readModel, seenCounter, seenTimeoutMs, logger }: AnswerDeps) => {
  const waitUntilSeen = async (notificationId: NotificationId, { userIds, position }: RecordedCampaign) => {
    const projected =
      position === undefined ||
      waitForProjection(readModel, {
        projection: inboxProjectionRef,
        partition: campaignPartition,
        eventPosition: position,
        timeoutMs: seenTimeoutMs,
      })
    const [successCount] = await Promise.all([seenCounter.wait(notificationId, userIds, seenTimeoutMs), projected])
    return successCount
  }

  /** Records the response, so that a retry returns the same. */
  const recordAnswer = async (
    notificationId: NotificationId,
    known: RecordedCampaign['loaded'],
    successCount: number,
    metadata: EventMetadata,
  ) => {
    const command = { type: 'RecordAnswer', notificationId, successCount } as const
    const recorded = await handleCommand(eventStore, campaignDecider, notificationId, command, {
      eventId: () => deterministicEventId('answered', notificationId),
      metadata,
      known,
      maxAttempts: answerAttempts,
    })
    return recorded.ok ? (recorded.value.state.successCount ?? successCount) : successCount
  }

  return async (
    notificationId: NotificationId,
    campaign: RecordedCampaign,
    { isRetryable, metadata }: { readonly isRetryable: boolean; readonly metadata: EventMetadata },
  ): Promise<SendAnswer> => {
    const { loaded } = campaign
    const { sent, held } = loaded.state
    const respond = (successCount: number): SendAnswer => ({
      notificationId,
      successCount,
      targeted: (sent ?? held)?.targeted ?? 0,
    })
    if (loaded.state.successCount !== undefined) return respond(loaded.state.successCount)
    let successCount = 0
    try {
      successCount = await waitUntilSeen(notificationId, campaign)
      if (isRetryable) successCount = await recordAnswer(notificationId, loaded, successCount, metadata)
    } catch (err) {
      // The campaign is recorded. A failure may lose the device count but must not cause a resend.
      logger.warn({ err, notificationId }, 'open devices of a campaign could not be counted')
    }
    return respond(successCount)
  }
}
