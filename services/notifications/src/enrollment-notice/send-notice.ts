import { portalSender } from '@portal/contracts/notifications/portal-sender'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { deterministicEventId } from '@portal/platform/decider/event-id'
import { handleCommand } from '@portal/platform/decider/handle-command'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import type { ReadStore } from '@portal/platform/read-model/port'
import { campaignDecider } from '../campaign/decider.ts'
import { recipientRef } from '../known-recipients/projection.ts'
import type { Notice } from './notice-texts.ts'

/** An upgrade or a restored backup must not announce what happened long ago. */
export const noticeMaxAgeMs = 6 * 3_600_000

type SendNoticeDeps = {
  readonly eventStore: Pick<EventStore, 'append' | 'read'>
  /** The recipients. */
  readonly recipients: Pick<ReadStore, 'get'>
  readonly clockAndIds: Pick<ClockAndIds, 'now'>
}

/** Sends a notice once: a campaign to one recipient, sent by the portal. */
export const createSendNotice =
  ({ eventStore, recipients, clockAndIds }: SendNoticeDeps) =>
  async ({ userId, text, fingerprint, happenedAt }: Notice, metadata: EventMetadata): Promise<void> => {
    if (clockAndIds.now().getTime() - Date.parse(happenedAt) > noticeMaxAgeMs) return
    const recipient = await recipients.get(recipientRef(userId))
    if (recipient === 'erased' || recipient === 'deactivated') return
    // The error makes the bus redeliver the message.
    if (recipient !== 'known') throw new Error('the recipients projection is behind, retrying')
    const { notificationId } = text
    const sending = { text, sentBy: portalSender, fingerprint, userIds: [userId], knownUserIds: new Set([userId]) }
    const sent = await handleCommand(
      eventStore,
      campaignDecider,
      notificationId,
      { type: 'SendCampaign', ...sending },
      { eventId: (index) => deterministicEventId('sent', notificationId, fingerprint, String(index)), metadata },
    )
    if (!sent.ok) throw new Error(`a notice of the portal was rejected: ${sent.error.reason}`)
  }
