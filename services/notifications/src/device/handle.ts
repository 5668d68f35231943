import { eventIdsOf } from '@portal/platform/decider/event-id'
import { handleCommand } from '@portal/platform/decider/handle-command'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import type { Sources } from '@portal/platform/runtime/sources'
import type { DeviceCommand } from './commands.ts'
import { deviceDecider } from './decider.ts'

type Deps = { readonly eventStore: Pick<EventStore, 'read' | 'append'>; readonly sources: Pick<Sources, 'newId'> }

/** Handles a command of one token. The decider answers a repetition with nothing to record, so the ids need not recognise it. */
export const createHandleDevice =
  ({ eventStore, sources }: Deps) =>
  (command: DeviceCommand, metadata: EventMetadata = {}) =>
    handleCommand(eventStore, deviceDecider, command.tokenIndex, command, {
      eventId: eventIdsOf(sources.newId()),
      metadata,
    })
export type HandleDevice = ReturnType<typeof createHandleDevice>
