import type { Preferences } from '@portal/contracts/notifications/preferences'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import type { Result } from '@portal/platform/decider/decider'
import { eventIdsOf } from '@portal/platform/decider/event-id'
import { handleCommand } from '@portal/platform/decider/handle-command'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import { waitForProjection } from '@portal/platform/projection/wait-for-projection'
import type { Checkpoints } from '@portal/platform/read-model/port'
import { type PreferencesCommand, preferencesDecider } from './decider.ts'
import { preferencesProjection } from './projection.ts'

type HandlePreferencesDeps = {
  readonly eventStore: Pick<EventStore, 'read' | 'append'>
  readonly readModel: Pick<Checkpoints, 'whenApplied'>
  readonly clockAndIds: Pick<ClockAndIds, 'newId'>
}

/** Handles a command, waits until it is projected, and returns the preferences afterwards. */
export const createHandlePreferences =
  ({ eventStore, readModel, clockAndIds }: HandlePreferencesDeps) =>
  async (command: PreferencesCommand, metadata: EventMetadata): Promise<Result<Preferences, never>> => {
    const { userId } = command
    const eventId = eventIdsOf(clockAndIds.newId())
    const handled = await handleCommand(eventStore, preferencesDecider, userId, command, { eventId, metadata })
    if (!handled.ok) return handled
    const { position: eventPosition, state } = handled.value
    if (eventPosition !== undefined)
      await waitForProjection(readModel, {
        projection: preferencesProjection,
        partition: bucketKey(userId),
        eventPosition,
      })
    return { ok: true, value: state }
  }
export type HandlePreferences = ReturnType<typeof createHandlePreferences>
