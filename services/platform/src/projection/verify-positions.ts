import { messageCheckpoint } from '../bus/relay.ts'
import type { FoundDiscontinuity } from '../discontinuity/discontinuity.ts'
import type { EventStore } from '../event-store/port.ts'
import type { Checkpoints } from '../read-model/port.ts'

/**
 * Whether the log holds what the read model was made of. Positions are exact while cursors are saved now and then, so they can be
 * ahead of a cursor that the bus verifies. A log that holds the newest of them holds all before it: one that was restored
 * from an older copy shares a beginning with what it was, and nothing behind it.
 */
export const verifyPositions = async (
  readModel: Checkpoints,
  projection: string,
  log: Pick<EventStore, 'holds'>,
): Promise<FoundDiscontinuity | undefined> => {
  const known = Object.values(await readModel.positionIds(projection)).flatMap(({ position, messageId }) =>
    // Commits of earlier versions named no message.
    messageId === undefined ? [] : [{ position, messageId }],
  )
  const newest = known.toSorted((a, b) => (a.position < b.position ? -1 : 1)).at(-1)
  const checkpoint = newest && messageCheckpoint(newest.position, newest.messageId)
  if (checkpoint === undefined || (await log.holds(checkpoint))) return undefined
  const { position, eventId } = checkpoint
  return { cause: 'log-older', missing: `the event store does not hold event ${eventId} at position ${position}` }
}
