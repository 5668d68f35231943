import { bucketKey } from '@portal/contracts/shared/buckets'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import { waitForProjection } from '@portal/platform/projection/wait-for-projection'
import type { Checkpoints } from '@portal/platform/read-model/port'
import type { Session } from '@portal/platform/session/session'
import { endSession } from './end-session.ts'
import { sessionProjection } from './projection.ts'

type Deps = { readonly eventStore: EventStore; readonly readModel: Checkpoints }

/** Ends the session and waits until its token is refused. */
export const createLogOut =
  ({ eventStore, readModel }: Deps) =>
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
