import { messagePosition } from '@portal/platform/bus/relay'
import type { Position } from '@portal/platform/event-store/port'
import type { ReadModels } from '@portal/platform/generations/read-models'
import { waitForProjection } from '@portal/platform/projection/wait-for-projection'
import { authMessage } from '../auth-messages.ts'
import type { AuthProjection } from '../auth-projection.ts'
import { openSessionsProjection } from '../session/open-sessions-projection.ts'
import { sessionProjection } from '../session/projection.ts'
import { directoryProjection } from './directory-projection.ts'
import type { UserEvent } from './events.ts'
import { loginProjection } from './login-projection.ts'
import { publicEventsOf } from './publish.ts'

const readers: readonly AuthProjection[] = [
  directoryProjection,
  loginProjection,
  sessionProjection,
  openSessionsProjection,
]

const timeoutMs = 5_000

/**
 * Waits until all that follows from a user's event can be read. False when that takes too long, or nobody can be asked; it is
 * recorded all the same.
 */
export const afterUserEvent = async (
  readModels: Pick<ReadModels, 'of'>,
  event: UserEvent,
  position: Position,
): Promise<boolean> => {
  const waits = publicEventsOf(event).flatMap((publicEvent, index) =>
    readers
      .filter((projection) => projection.reads.includes(publicEvent.type))
      .map((projection) =>
        waitForProjection(readModels.of(projection), {
          projection,
          partition: authMessage(publicEvent).key,
          messagePosition: messagePosition(position, index),
          timeoutMs,
        }),
      ),
  )
  return (await Promise.all(waits)).every(Boolean)
}
