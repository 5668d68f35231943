import type { AdminRemoved } from '@portal/contracts/auth/events'
import { handleCommand } from '@portal/platform/decider/handle-command'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import { userDecider } from '../user/decider.ts'
import { changeAfterRemoval } from './admin-roster.ts'

/**
 * Records the change of the account that follows a removal, if the request could not. An account that was erased meanwhile stays so.
 * What follows from the change itself, such as the end of sessions, begins with its own message.
 */
export const createApplyAdminRemoval =
  ({ eventStore }: { readonly eventStore: Pick<EventStore, 'read' | 'append'> }) =>
  async (removal: AdminRemoved, metadata: EventMetadata): Promise<void> => {
    const { command, eventId } = changeAfterRemoval(removal)
    const byAdmin = { ...metadata, actorId: removal.by }
    await handleCommand(eventStore, userDecider, removal.userId, command, { eventId, metadata: byAdmin })
  }
export type ApplyAdminRemoval = ReturnType<typeof createApplyAdminRemoval>
