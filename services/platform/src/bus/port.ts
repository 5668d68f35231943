import type { Envelope, Topic } from '@portal/contracts/shared/event-envelope'
import type { FoundDiscontinuity } from '../discontinuity/discontinuity.ts'
import type { UnreadableEventError } from './unreadable-event.ts'

/**
 * The bus port: delivers integration events at least once, in order per key. SPEC.md numbers the rules.
 *
 * A consumer saves its cursors itself, in the same commit as its writes. The broker does not store them.
 */

/** A position in one bus partition. Opaque text that only the adapter reads. */
export type Cursor = string & { readonly __brand: 'Cursor' }
export type Cursors = Readonly<Record<string, Cursor>>

export type Delivery = { readonly envelope: Envelope; readonly busPartition: string; readonly cursor: Cursor }

export type Consumer = {
  /** The consumers of a group share the partitions. Each group receives every message. */
  readonly group: string
  readonly topics: readonly Topic[]
  /** Called when partitions are assigned. Returns the cursor of each partition. A partition without a cursor starts at `startAt`. */
  loadCursors(): Promise<Cursors>
  /** Where a partition without a cursor starts: 'beginning' by default. 'now': at its end when `consume` is called. */
  readonly startAt?: 'beginning' | 'now'
  /**
   * Called with messages in order, one call at a time per bus partition. After a rejection, the same messages are redelivered with
   * exponential backoff. The bus never skips a message; a consumer records a message that cannot succeed as a dead letter.
   */
  handle(deliveries: readonly Delivery[]): Promise<void>
  /**
   * Called when the consumer has handled everything up to the last known end, perhaps repeatedly. `cursors` may be after the last
   * delivery, because messages of other topics may follow it.
   */
  onCaughtUp?(cursors: Cursors): void
  /** Reads the log up to its end before any message of the bus. For effects, which must not act on a bus that lags behind the log. */
  readonly readsLogFirst?: boolean
  /** The log does not have the events of the cursor. The consumer is halted until a rebuild with other cursors. */
  onDiscontinuity?(found: FoundDiscontinuity): void
  /** The consumer is halted before an event that only another release can read. Called once per event. */
  onUnreadableEvent?(error: UnreadableEventError): void
  /** With startAt 'now': the bus has lost messages between two deliveries. The read models include them. */
  onGap?(): void
  readonly maxBatch?: number
}

export type Subscription = {
  /** With startAt 'now': the end of each bus partition at the start. Otherwise empty. */
  readonly startedAt: Cursors
  /** Stops after the batch in flight. */
  stop(): Promise<void>
}

export type Bus = {
  consume(consumer: Consumer): Promise<Subscription>
  /**
   * Whether a consumer with these cursors has handled everything up to `target`. With `topics`, compares only their partitions,
   * because a consumer has no cursors in others.
   */
  hasReached(cursors: Cursors, target: Cursors, topics?: readonly Topic[]): boolean
  /** Rejects if the bus or one of its consumers is unhealthy. */
  check(): Promise<void>
  close(): Promise<void>
}
