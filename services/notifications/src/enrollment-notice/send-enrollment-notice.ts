import type { NotificationText } from '@portal/contracts/notifications/events'
import { enrollmentNoticeTitle, portalSender } from '@portal/contracts/notifications/portal-sender'
import { notificationIdSchema } from '@portal/contracts/shared/ids'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { deterministicEventId } from '@portal/platform/decider/event-id'
import { handleCommand } from '@portal/platform/decider/handle-command'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import type { ReadStore } from '@portal/platform/read-model/port'
import type { CatalogEventOf } from '../bus-messages.ts'
import { campaignDecider } from '../campaign/decider.ts'
import { recipientRef } from '../known-recipients/projection.ts'

type Enrollment = CatalogEventOf<'LearnerEnrolled'>['data']

/** An upgrade or a restored backup must not announce what happened long ago. */
export const noticeMaxAgeMs = 6 * 3_600_000

/** Fingerprint of every notice. Equal fingerprints make a repetition change nothing. */
const fingerprint = 'enrollment-notice'

const textOf = ({ userId, programId, programName }: Enrollment): NotificationText => ({
  // One per learner and program, whoever sends it and however often.
  notificationId: notificationIdSchema.parse(deterministicEventId('enrollment-notice', userId, programId)),
  title: enrollmentNoticeTitle(programName),
  message: `Your seat in ${programName} is reserved. You can find the program under My Program. The center will contact you about payment.`,
  type: 'General',
})

type SendEnrollmentNoticeDeps = {
  readonly eventStore: Pick<EventStore, 'append' | 'read'>
  /** The recipients. */
  readonly recipients: Pick<ReadStore, 'get'>
  readonly clockAndIds: Pick<ClockAndIds, 'now'>
}

/** Notifies a learner of an enrollment once: a campaign to one recipient, sent by the portal. */
export const createSendEnrollmentNotice =
  ({ eventStore, recipients, clockAndIds }: SendEnrollmentNoticeDeps) =>
  async (enrollment: Enrollment, metadata: EventMetadata): Promise<void> => {
    const { userId, enrolledAt } = enrollment
    if (clockAndIds.now().getTime() - Date.parse(enrolledAt) > noticeMaxAgeMs) return
    const recipient = await recipients.get(recipientRef(userId))
    if (recipient === 'erased' || recipient === 'deactivated') return
    // The error makes the bus redeliver the message.
    if (recipient !== 'known') throw new Error('the recipients projection is behind, retrying')
    const text = textOf(enrollment)
    const { notificationId } = text
    const sending = { text, sentBy: portalSender, fingerprint, userIds: [userId], knownUserIds: new Set([userId]) }
    const sent = await handleCommand(
      eventStore,
      campaignDecider,
      notificationId,
      { type: 'SendCampaign', ...sending },
      { eventId: (index) => deterministicEventId('sent', notificationId, fingerprint, String(index)), metadata },
    )
    if (!sent.ok) throw new Error(`an enrollment notice was rejected: ${sent.error.reason}`)
  }
