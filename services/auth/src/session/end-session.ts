import type { SessionEndReason } from '@portal/contracts/auth/events'
import { bucketKey } from '@portal/contracts/shared/buckets'
import { eventIdsOf } from '@portal/platform/decider/event-id'
import { handleCommand } from '@portal/platform/decider/handle-command'
import type { EventMetadata, EventStore, Position } from '@portal/platform/event-store/port'
import { waitForProjection } from '@portal/platform/projection/wait-for-projection'
import type { Checkpoints } from '@portal/platform/read-model/port'
import type { Session } from '@portal/platform/session/session'
import { sessionDecider } from './decider.ts'
import { sessionProjection } from './projection.ts'

type SessionEnd = {
  readonly position: Position
  /** An earlier call has recorded it. */
  readonly isRepetition: boolean
}

/** Records the end of a session. Returns undefined if it ended earlier for another reason. */
export const endSession = async (
  eventStore: Pick<EventStore, 'read' | 'append'>,
  { sessionId, userId, expiresAt }: Pick<Session, 'sessionId' | 'userId' | 'expiresAt'>,
  reason: SessionEndReason,
  metadata: EventMetadata,
): Promise<SessionEnd | undefined> => {
  const command = { type: 'EndSession', sessionId, userId, expiresAt, reason } as const
  const ended = await handleCommand(eventStore, sessionDecider, sessionId, command, {
    eventId: eventIdsOf('session-ended', sessionId),
    metadata,
  })
  if (!ended.ok || ended.value.position === undefined) return undefined
  const { position, isRepetition } = ended.value
  return { position, isRepetition }
}

type LogOutDeps = { readonly eventStore: EventStore; readonly readModel: Checkpoints }

/** Ends the session and waits until its token is rejected. */
export const createLogOut =
  ({ eventStore, readModel }: LogOutDeps) =>
  async (session: Session, metadata: EventMetadata): Promise<void> => {
    const ended = await endSession(eventStore, session, 'logged-out', metadata)
    if (ended !== undefined) {
      await waitForProjection(readModel, {
        projection: sessionProjection,
        partition: bucketKey(session.userId),
        eventPosition: ended.position,
      })
    }
  }
export type LogOut = ReturnType<typeof createLogOut>
