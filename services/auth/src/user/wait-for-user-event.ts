import { messagePosition } from '@portal/platform/bus/relay'
import type { Position } from '@portal/platform/event-store/port'
import type { ReadModels } from '@portal/platform/generations/read-models'
import { waitForProjection } from '@portal/platform/projection/wait-for-projection'
import { ownProjections } from '../projections.ts'
import { authMessage, publicEventsOf } from '../publish.ts'
import type { UserEvent } from './events.ts'

const timeoutMs = 5_000

/**
 * Waits until all projections have applied the event. Returns false on a timeout or an unavailable read model; the
 * event stays recorded.
 */
export const waitForUserEvent = async (
  readModels: Pick<ReadModels, 'of'>,
  event: UserEvent,
  position: Position,
): Promise<boolean> => {
  const waits = publicEventsOf(event).flatMap((publicEvent, index) =>
    ownProjections
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
