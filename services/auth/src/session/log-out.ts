import { bucketKey } from '@portal/contracts/shared/buckets'
import { deterministicEventId } from '@portal/platform/decider/event-id'
import { handleCommand } from '@portal/platform/decider/handle-command'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import type { Session } from '@portal/platform/http/session'
import { afterProjected } from '@portal/platform/projection/after-projection'
import type { ReadModel } from '@portal/platform/read-model/port'
import { sessionDecider } from './decider.ts'
import { sessionProjection } from './projection.ts'

type Deps = { readonly eventStore: EventStore; readonly readModel: Pick<ReadModel, 'whenApplied'> }

/** Ends the session and waits until its token is refused. */
export const createLogOut =
  ({ eventStore, readModel }: Deps) =>
  async ({ sessionId, userId, expiresAt }: Session, metadata: EventMetadata): Promise<void> => {
    const command = { type: 'EndSession', sessionId, userId, expiresAt, reason: 'logged-out' } as const
    const ended = await handleCommand(eventStore, sessionDecider, sessionId, command, {
      eventId: (index) => deterministicEventId('session-ended', sessionId, String(index)),
      metadata,
    })
    if (ended.ok && ended.value.position !== undefined) {
      await afterProjected(readModel, sessionProjection, bucketKey(userId), ended.value.position)
    }
  }
export type LogOut = ReturnType<typeof createLogOut>
