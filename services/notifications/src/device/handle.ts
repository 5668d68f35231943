import { eventIdsOf } from '@portal/platform/decider/event-id'
import { handleCommand } from '@portal/platform/decider/handle-command'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import type { DeviceCommand } from './commands.ts'
import { deviceDecider } from './decider.ts'

type Deps = {
  readonly eventStore: Pick<EventStore, 'read' | 'append'>
  readonly clockAndIds: Pick<ClockAndIds, 'newId'>
}

/** Handles a command of one token. The decider answers a repetition with nothing to record, so the ids need not recognise it. */
export const createHandleDevice =
  ({ eventStore, clockAndIds }: Deps) =>
  (command: DeviceCommand, metadata: EventMetadata = {}) =>
    handleCommand(eventStore, deviceDecider, command.tokenIndex, command, {
      eventId: eventIdsOf(clockAndIds.newId()),
      metadata,
    })
export type HandleDevice = ReturnType<typeof createHandleDevice>
