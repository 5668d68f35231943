import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import { deterministicEventId } from '@portal/platform/decider/event-id'
import { handleCommand } from '@portal/platform/decider/handle-command'
import { ok, type Result } from '@portal/platform/decider/decider'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import { waitForProjection } from '@portal/platform/projection/wait-for-projection'
import type { Checkpoints } from '@portal/platform/read-model/port'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import type { Logger } from 'pino'
import type { SelectAudience } from '../audience/select-audience.ts'
import type { SeenReceipts } from '../delivery/seen-reports.ts'
import { inboxProjection } from '../inbox/projection.ts'
import { campaignPartition } from '../read-model.ts'
import type { KnownRecipients } from '../recipient/known-recipients.ts'
import { campaignDecider } from './decider.ts'
import { createRecordCampaign, type RecordedCampaign, type SendRejection } from './record-campaign.ts'
import { sendingOf, type SendRequest } from './send-request.ts'

type SendAnswer = {
  readonly notificationId: NotificationId
  /** Open devices that showed the notification in time. */
  readonly successCount: number
  readonly targeted: number
  /** How many fewer recipients than the sender was shown. */
  readonly leftOut?: number
}

/** A large campaign is being distributed meanwhile, and each append to its stream can conflict. */
const answerAttempts = 50

type Deps = {
  readonly eventStore: EventStore
  readonly readModel: Checkpoints
  readonly recipients: KnownRecipients
  readonly selectAudience: SelectAudience
  readonly vault: Pick<PersonalDataVault, 'index'>
  readonly clockAndIds: Pick<ClockAndIds, 'newId'>
  readonly receipts: SeenReceipts
  /** How long the response waits for open devices. */
  readonly receiptTimeoutMs: number
  /** Larger campaigns are planned. */
  readonly maxRecipientsPerAppend: number
  readonly logger: Logger
}

export const createSendCampaign = (deps: Deps) => {
  const { eventStore, readModel, receipts, receiptTimeoutMs, logger } = deps
  const recordCampaign = createRecordCampaign(deps)

  /** Waits until the campaign is projected, and for the open devices. */
  const waitForReceipts = async (notificationId: NotificationId, { userIds, position }: RecordedCampaign) => {
    const projected =
      position === undefined ||
      waitForProjection(readModel, {
        projection: inboxProjection,
        partition: campaignPartition,
        eventPosition: position,
        timeoutMs: receiptTimeoutMs,
      })
    const [successCount] = await Promise.all([receipts.wait(notificationId, userIds, receiptTimeoutMs), projected])
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
    request: SendRequest,
    sentBy: UserId,
    idempotencyKey: string | undefined,
    metadata: EventMetadata,
  ): Promise<Result<SendAnswer, SendRejection>> => {
    const sending = sendingOf(deps, request, sentBy, idempotencyKey)
    const { notificationId } = sending.text
    const recorded = await recordCampaign(request, sending, metadata)
    if (!recorded.ok) return recorded
    const { state } = recorded.value.loaded
    const targeted = state.sent?.targeted ?? 0
    const { expectedCount } = request
    const leftOut = expectedCount === undefined ? {} : { leftOut: Math.max(0, expectedCount - targeted) }
    const respond = (successCount: number) => ok({ notificationId, successCount, targeted, ...leftOut })
    if (state.successCount !== undefined) return respond(state.successCount)
    let successCount = 0
    try {
      successCount = await waitForReceipts(notificationId, recorded.value)
      if (sending.fingerprint !== undefined)
        successCount = await recordAnswer(notificationId, recorded.value.loaded, successCount, metadata)
    } catch (err) {
      // The campaign is recorded. A failure may lose the device count but must not cause a resend.
      logger.warn({ err, notificationId }, 'open devices of a campaign could not be counted')
    }
    return respond(successCount)
  }
}
export type SendNotification = ReturnType<typeof createSendCampaign>
