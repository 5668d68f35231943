import type { Envelope, Topic } from '@portal/contracts/shared/event-envelope'
import type { Checkpoints, ProjectionWriter, ReadStore, Write } from '../read-model/port.ts'
import type { ProjectionRef } from '../read-model/projection-key.ts'

/** The part of a read model that the runner of a projection uses. */
export type ProjectionData = ReadModelView & Pick<ProjectionWriter, 'commit'> & Pick<Checkpoints, 'position'>

/** The part of a read model that a projection may use in `apply`. */
export type ReadModelView = ReadStore & Pick<ProjectionWriter, 'putImmutable'>

/**
 * Folds messages into a read model: returns the writes for each message. The runner (generations/run-projection.ts) commits them with the
 * position, skips redelivered messages and stores dead letters. A projection depends only on messages and its own writes, so a rebuild
 * gives the same result.
 */
export type Projection = ProjectionRef & {
  readonly topics: readonly Topic[]
  /**
   * The read-model partition of a message, usually its key; undefined to skip it. Must not throw: an invalid message becomes a dead letter
   * only if `apply` rejects it.
   */
  partitionOf(envelope: Envelope): string | undefined
  apply(envelope: Envelope, view: ReadModelView): Promise<readonly Write[]>
}
