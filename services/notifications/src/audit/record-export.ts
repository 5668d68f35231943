import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import { streamOf } from '@portal/platform/event-store/stream-name'
import { auditCategory, type AuditEvent, auditExportsStreamId } from './events.ts'

type RecordExportDeps = {
  readonly eventStore: Pick<EventStore, 'append'>
  readonly clockAndIds: Pick<ClockAndIds, 'newId'>
}

/** Records an export before its first byte leaves. */
export const createRecordExport =
  ({ eventStore, clockAndIds }: RecordExportDeps) =>
  async (event: AuditEvent, metadata: EventMetadata): Promise<void> => {
    const appended = await eventStore.append(streamOf(auditCategory, auditExportsStreamId), 'any', [
      { id: clockAndIds.newId(), ...event, metadata },
    ])
    if (appended.kind === 'conflict') throw new Error("the event store reported a conflict for expected revision 'any'")
  }
export type RecordExport = ReturnType<typeof createRecordExport>
