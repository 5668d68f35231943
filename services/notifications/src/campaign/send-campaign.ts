import type { NotificationType } from '@portal/contracts/notifications/notification'
import { type NotificationId, notificationIdSchema, type UserId } from '@portal/contracts/shared/ids'
import { deterministicEventId } from '@portal/platform/decider/event-id'
import { handleCommand } from '@portal/platform/decider/handle-command'
import { ok, type Result } from '@portal/platform/decider/decider'
import type { EventMetadata, EventStore, Position } from '@portal/platform/event-store/port'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import { waitForProjection } from '@portal/platform/projection/wait-for-projection'
import type { Checkpoints } from '@portal/platform/read-model/port'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import type { Logger } from 'pino'
import type { SeenReceipts } from '../delivery/seen-reports.ts'
import { inboxProjection } from '../inbox/projection.ts'
import { campaignPartition } from '../read-model.ts'
import type { KnownRecipients } from '../recipient/known-recipients.ts'
import { campaignDecider, type CampaignRejection, type SendCampaign } from './decider.ts'

type SendRequest = {
  readonly userIds: readonly UserId[]
  readonly title: string
  readonly message: string
  readonly type: NotificationType
}

type SendAnswer = {
  readonly notificationId: NotificationId
  /** Open devices that showed the notification in time. */
  readonly successCount: number
  readonly targeted: number
}

type Deps = {
  readonly eventStore: EventStore
  readonly readModel: Checkpoints
  readonly recipients: KnownRecipients
  readonly vault: Pick<PersonalDataVault, 'index'>
  readonly clockAndIds: Pick<ClockAndIds, 'newId'>
  readonly receipts: SeenReceipts
  /** How long the response waits for open devices. */
  readonly receiptTimeoutMs: number
  readonly logger: Logger
}

type CampaignIdentity = { readonly notificationId: NotificationId; readonly fingerprint?: string }

export const createSendCampaign = (deps: Deps) => {
  const { eventStore, readModel, recipients, vault, clockAndIds, receipts, receiptTimeoutMs, logger } = deps

  /**
   * With a key, the same request by the same sender maps to the same stream. The fingerprint detects a different
   * request.
   */
  const identify = (request: SendRequest, sentBy: UserId, idempotencyKey: string | undefined): CampaignIdentity => {
    if (idempotencyKey === undefined) return { notificationId: notificationIdSchema.parse(clockAndIds.newId()) }
    const { userIds, title, message, type } = request
    return {
      notificationId: notificationIdSchema.parse(deterministicEventId('campaign', sentBy, idempotencyKey)),
      fingerprint: vault.index('request', JSON.stringify([userIds, title, message, type])),
    }
  }

  /** Waits until the campaign is projected, and for the open devices. */
  const waitForReceipts = async (
    notificationId: NotificationId,
    userIds: readonly UserId[],
    position: Position | undefined,
  ) => {
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
  const recordAnswer = async (notificationId: NotificationId, successCount: number, metadata: EventMetadata) => {
    const command = { type: 'RecordAnswer', notificationId, successCount } as const
    const eventId = () => deterministicEventId('answered', notificationId)
    const recorded = await handleCommand(eventStore, campaignDecider, notificationId, command, { eventId, metadata })
    return recorded.ok ? (recorded.value.state.successCount ?? successCount) : successCount
  }

  return async (
    request: SendRequest,
    sentBy: UserId,
    idempotencyKey: string | undefined,
    metadata: EventMetadata,
  ): Promise<Result<SendAnswer, CampaignRejection>> => {
    const { notificationId, fingerprint } = identify(request, sentBy, idempotencyKey)
    const { userIds, type } = request
    const command: SendCampaign = {
      type: 'SendCampaign',
      // A lone surrogate is invalid text and takes twice the space in JSON.
      text: { notificationId, title: request.title.toWellFormed(), message: request.message.toWellFormed(), type },
      sentBy,
      userIds,
      knownUserIds: await recipients.find(userIds),
      ...(fingerprint === undefined ? {} : { fingerprint }),
    }
    const sent = await handleCommand(eventStore, campaignDecider, notificationId, command, {
      eventId: (index) => deterministicEventId('sent', notificationId, fingerprint ?? '', String(index)),
      isForNewStream: fingerprint === undefined,
      metadata,
    })
    if (!sent.ok) return sent
    const { state, position } = sent.value
    const respond = (successCount: number) => ok({ notificationId, successCount, targeted: userIds.length })
    if (state.successCount !== undefined) return respond(state.successCount)
    let successCount = 0
    try {
      successCount = await waitForReceipts(notificationId, userIds, position)
      if (fingerprint !== undefined) successCount = await recordAnswer(notificationId, successCount, metadata)
    } catch (err) {
      // The campaign is recorded. A failure may lose the device count but must not cause a resend.
      logger.warn({ err, notificationId }, 'open devices of a campaign could not be counted')
    }
    return respond(successCount)
  }
}
export type SendNotification = ReturnType<typeof createSendCampaign>
