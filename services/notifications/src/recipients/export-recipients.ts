import type { RecipientFilter } from '@portal/contracts/notifications/http'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import { eventIdsOf } from '@portal/platform/decider/event-id'
import { handleCommand } from '@portal/platform/decider/handle-command'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import { FileDownload } from '@portal/platform/http/file-download'
import { actionAttempts, type CampaignStates } from '../actions/campaign-states.ts'
import { campaignDecider, type CampaignRejection } from '../campaign/decider.ts'
import { recipientsCsv } from './recipients-csv.ts'
import type { RecipientsReader } from './recipients-reader.ts'

type ExportRequest = {
  readonly notificationId: NotificationId
  readonly requestedBy: UserId
  readonly filter: RecipientFilter
}

type ExportRecipientsDeps = {
  readonly eventStore: Pick<EventStore, 'read' | 'append'>
  readonly recipients: Pick<RecipientsReader, 'select'>
  readonly states: CampaignStates
  readonly clockAndIds: Pick<ClockAndIds, 'newId'>
}

/** Exports the recipients that a filter selects. The export is recorded before the first byte leaves. */
export const createExportRecipients =
  ({ eventStore, recipients, states, clockAndIds }: ExportRecipientsDeps) =>
  async (
    { notificationId, requestedBy, filter }: ExportRequest,
    metadata: EventMetadata,
  ): Promise<Result<FileDownload, CampaignRejection>> => {
    const selected = await recipients.select(notificationId, filter)
    if (!selected) return rejected({ reason: 'not-sent' })
    const record = async (): Promise<void> => {
      const command = { type: 'RecordExport', notificationId, requestedBy, rows: selected.count } as const
      const recorded = await handleCommand(eventStore, campaignDecider, notificationId, command, {
        eventId: eventIdsOf(clockAndIds.newId()),
        known: await states(notificationId),
        maxAttempts: actionAttempts,
        metadata,
      })
      if (!recorded.ok) throw new Error(`the export of ${notificationId} was rejected: ${recorded.error.reason}`)
    }
    return ok(new FileDownload(`recipients-${notificationId}.csv`, recipientsCsv(selected), record))
  }
export type ExportRecipients = ReturnType<typeof createExportRecipients>
