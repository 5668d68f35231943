import type { Topic } from '@portal/contracts/shared/event-envelope'
import type { Logger } from 'pino'
import type { FoundDiscontinuity } from '../discontinuity/discontinuity.ts'
import type { EventStore, RecordedEvent } from '../event-store/port.ts'
import type { Checkpoints } from '../read-model/port.ts'
import type { LeaseStore } from './lease.ts'

/** An integration event before the relay assigns its id and position. */
export type OutgoingMessage = {
  readonly topic: Topic
  /** Messages with the same key stay in order. */
  readonly key: string
  readonly type: string
  readonly data: object
}

/** Translates one category's recorded events into integration events. Pure; throws on an unknown event type. */
export type Publisher = {
  /** The stream category, as in the decider. */
  readonly category: string
  /** The topics of its messages. An event that it cannot read does not halt consumers of other topics. */
  readonly topics: readonly Topic[]
  publish(recorded: RecordedEvent): readonly OutgoingMessage[]
}

/**
 * Publishes a service's events from the event store to a bus that does not read the store itself. Of several processes, the leader
 * publishes, and another takes over when it ends. If two overlap, consumers recognize duplicates by position.
 */
export type LogPublisher = {
  /** Whether this process is the leader and publishes. */
  isLeading(): boolean
  /** Rejects if this process leads and cannot publish. */
  check(): Promise<void>
  /** Releases the lease once the in-flight batch is published. */
  stop(): Promise<void>
}

/** The record that the log was restored from an older copy. While it is open, nothing is published. */
export type LogDiscontinuity = {
  /** Records that the log does not have what was published. */
  report(found: FoundDiscontinuity): void
  /** Whether it is recorded, as far as this process knows. */
  isOpen(): boolean
}

/** Saves the checkpoint of a log publisher. */
export type CheckpointStore = Pick<Checkpoints, 'loadCursors' | 'saveCursor'>

export type LogPublisherOptions = {
  /** The service whose events are published, such as 'auth'. */
  readonly service: string
  readonly eventStore: Pick<EventStore, 'subscribe' | 'end'>
  readonly publishers: readonly Publisher[]
  /** Holds the lease and the checkpoint, in a namespace that no replay changes. */
  readonly control: LeaseStore & CheckpointStore
  /** Without it, an older log is not recorded, and the log publisher waits until the log has its checkpoint. */
  readonly discontinuity?: LogDiscontinuity
  readonly logger: Logger
}
