import { messagePosition } from '../bus/relay.ts'
import { isTransient } from '../errors/error-kinds.ts'
import type { Position } from '../event-store/port.ts'
import type { Checkpoints } from '../read-model/port.ts'
import type { Projection } from './projection.ts'

type AwaitedProgress = {
  readonly projection: Pick<Projection, 'name'>
  readonly partition: string
  /** 2 seconds if absent. */
  readonly timeoutMs?: number
} & (
  | { /** As returned by the append. Means the first message of the event. */ readonly eventPosition: Position }
  | { /** As on the bus. */ readonly messagePosition: string }
)

const defaultTimeoutMs = 2_000

const positionOf = (awaited: AwaitedProgress): string =>
  'eventPosition' in awaited ? messagePosition(awaited.eventPosition) : awaited.messagePosition

/**
 * True once the projection has applied the position. False after the timeout or while the read model is unavailable. A request that waits
 * for its own change then still succeeds, because the events are recorded. Rejects with any other error.
 */
export const waitForProjection = async (
  readModel: Pick<Checkpoints, 'whenApplied'>,
  awaited: AwaitedProgress,
): Promise<boolean> => {
  const { projection, partition, timeoutMs = defaultTimeoutMs } = awaited
  try {
    return await readModel.whenApplied(projection.name, partition, positionOf(awaited), timeoutMs)
  } catch (error) {
    if (!isTransient(error)) throw error
    return false
  }
}
