import type { Envelope, Topic } from '@portal/contracts/shared/event-envelope'
import type { Checkpoints, ProjectionWriter, ReadStore, Write } from '../read-model/port.ts'
import type { ProjectionRef } from '../read-model/projection-key.ts'

/** What the runner of a projection reads and writes. */
export type ProjectionData = ReadStore & ProjectionWriter & Checkpoints

/** What a projection may look at while it decides what to write. */
export type ReadModelView = ReadStore & Pick<ProjectionWriter, 'putImmutable'>

/**
 * A read model as a function of the bus: for each message, what to write into the message's partition. The runner
 * (generations/run-projection.ts) applies it, keeps the position, recognizes redelivery and keeps dead letters.
 * Everything it needs to know comes from the messages and from what it wrote itself, so a rebuild gives the same.
 */
export type Projection = ProjectionRef & {
  readonly topics: readonly Topic[]
  /**
   * The read-model partition a message belongs to, or undefined to pass it over. The message's key, mostly. Does not throw:
   * what is wrong with a message is for `apply` to find, which can have it parked.
   */
  partitionOf(envelope: Envelope): string | undefined
  apply(envelope: Envelope, view: ReadModelView): Promise<readonly Write[]>
}
