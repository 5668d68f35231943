import type { MissedReason } from '@portal/contracts/notifications/send-time'
import type { NotificationId } from '@portal/contracts/shared/ids'
import { rejected, type Result } from '@portal/platform/decider/decider'
import { loadState } from '@portal/platform/decider/handle-command'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import { campaignDecider } from '../campaign/decider.ts'
import { createRecordCampaign, type RecordedCampaign, type SendRejection } from '../campaign/record-campaign.ts'
import { missScheduled } from './miss-scheduled.ts'

type SendScheduledDeps = Parameters<typeof createRecordCampaign>[0] & {
  readonly eventStore: Pick<EventStore, 'read' | 'append'>
}

/** What an admin has to decide about, because no later attempt would end otherwise. */
const missedReasonOf = ({ reason }: SendRejection): MissedReason | undefined => {
  if (reason === 'none-selected') return 'no-recipients'
  if (reason === 'unknown-programs') return 'program-deleted'
  return reason === 'too-many-selected' ? 'too-many-recipients' : undefined
}

type Asked = {
  /** Rejects another version. */
  readonly version?: number | undefined
  readonly isDue?: true
}

/**
 * Sends what is scheduled to the recipients of now, unless it was sent, changed or discarded. The send is one append to the stream
 * of what was scheduled, or is accepted by one, so it happens once, whoever tries and wherever a process ends.
 */
export const createSendScheduled = (deps: SendScheduledDeps) => {
  const { eventStore } = deps
  const recordCampaign = createRecordCampaign(deps)

  return async (
    notificationId: NotificationId,
    asked: Asked,
    metadata: EventMetadata,
  ): Promise<Result<RecordedCampaign, SendRejection>> => {
    const { state } = await loadState(eventStore, campaignDecider, notificationId)
    const { scheduled } = state
    if (!scheduled) return rejected({ reason: 'not-sent' })
    const { version = scheduled.version, isDue } = asked
    const { text, userIds, audience, sentBy } = scheduled.content
    const remindsOf = audience?.unreadOf
    const content = {
      text,
      sentBy,
      fingerprint: scheduled.first.fingerprint,
      ...(remindsOf && { remindsOf }),
      scheduled: { version, ...(isDue && { isDue }) },
    }
    const recorded = await recordCampaign({ userIds, audience, onlyExisting: true }, content, metadata)
    if (recorded.ok) return recorded
    const reason = missedReasonOf(recorded.error)
    if (reason) await missScheduled(eventStore, { notificationId, version }, reason)
    return recorded
  }
}
export type SendScheduled = ReturnType<typeof createSendScheduled>
