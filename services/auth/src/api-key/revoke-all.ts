import type { AuthEvent } from '@portal/contracts/auth/events'
import { eventIdsOf } from '@portal/platform/decider/event-id'
import { handleCommand } from '@portal/platform/decider/handle-command'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import { apiKeysDecider } from './decider.ts'

/** Why the keys of the account are revoked; undefined unless the event ends its time as an active admin. */
const reasonOf = (event: AuthEvent) => {
  switch (event.type) {
    case 'UserRoleChanged':
      return event.data.role === 'admin' ? undefined : 'role-changed'
    case 'UserDeactivated':
      return 'deactivated'
    case 'UserEmailReleased':
      return 'email-reclaimed'
    case 'UserErased':
      return 'erased'
    default:
      return undefined
  }
}

/**
 * Records that the keys of an account are revoked. They have stopped working before, with the account: this frees their number for an
 * account that becomes an admin again. A repetition changes nothing.
 */
export const createRevokeAllApiKeys =
  (eventStore: Pick<EventStore, 'read' | 'append'>) =>
  async (event: AuthEvent, metadata: EventMetadata): Promise<void> => {
    const reason = reasonOf(event)
    if (reason === undefined || !('userId' in event.data)) return
    const { userId } = event.data
    const command = { type: 'RevokeAllApiKeys', userId, reason } as const
    const eventId = eventIdsOf('api-keys-revoked', metadata.causationId ?? userId)
    await handleCommand(eventStore, apiKeysDecider, userId, command, { eventId, metadata })
  }
export type RevokeAllApiKeys = ReturnType<typeof createRevokeAllApiKeys>
