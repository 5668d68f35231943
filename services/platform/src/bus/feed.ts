import type { Logger } from 'pino'
import type { FoundDiscontinuity } from '../discontinuity/discontinuity.ts'
import type { EventStore } from '../event-store/port.ts'
import type { Checkpoints, ProjectionWriter } from '../read-model/port.ts'
import type { Publisher } from './publisher.ts'

/**
 * Carries a service's events from the event store to the bus, where the bus is not the store's own tail. Several processes
 * may run the feed of one service: one of them leads, another takes over when it ends; what an overlap publishes twice
 * consumers recognise by position.
 */
export type Feed = {
  /** Whether this process publishes at the moment. */
  isLeading(): boolean
  /** Rejects when this process leads and cannot publish. */
  check(): Promise<void>
  /** Lets go of the lead after what is under way. */
  stop(): Promise<void>
}

/** What is on record about the log as a whole. While it is, nothing is published. */
export type FeedDiscontinuity = {
  /** The log does not hold what the feed has published. Puts that on record. */
  report(found: FoundDiscontinuity): void
  /** Whether it is on record, as far as this process knows. */
  isOpen(): boolean
}

export type FeedParts = {
  /** Whose events; 'auth', say. */
  readonly service: string
  readonly eventStore: Pick<EventStore, 'subscribe' | 'end'>
  readonly publishers: readonly Publisher[]
  /** Where the lead is kept, and how far the feed is: a namespace that no replay touches. */
  readonly readModel: ProjectionWriter & Checkpoints
  /** Without it a feed stands still for as long as the log does not hold its checkpoint. */
  readonly discontinuity?: FeedDiscontinuity
  readonly logger: Logger
}
