import { messagePosition } from '../bus/relay.ts'
import type { Position } from '../event-store/port.ts'
import type { Checkpoints } from '../read-model/port.ts'
import type { Projection } from './projection.ts'

/**
 * Lets a request wait for its own change: `position` is what the append answered. False when the projection was not there in
 * time, or cannot be asked; the change is recorded all the same, so the request answers, from what is projected by then.
 */
export const afterProjected = async (
  readModel: Pick<Checkpoints, 'whenApplied'>,
  projection: Pick<Projection, 'name'>,
  partition: string,
  position: Position,
  timeoutMs = 2_000,
): Promise<boolean> => {
  try {
    return await readModel.whenApplied(projection.name, partition, messagePosition(position), timeoutMs)
  } catch {
    // A read model that is away tells so by every read and by its health: it must not make a write look as if it had failed.
    return false
  }
}
