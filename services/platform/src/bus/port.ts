import type { Envelope, Topic } from '@portal/contracts/shared/event-envelope'
import type { FoundDiscontinuity } from '../discontinuity/discontinuity.ts'
import type { UnreadableEventError } from './unreadable-event.ts'

/**
 * The bus port: delivers integration events at least once, in order per key. SPEC.md numbers the rules.
 *
 * A consumer saves its cursors itself, next to what it writes. The broker does not know them.
 */

/** A position in one bus partition. Opaque text that only the adapter reads. */
export type Cursor = string & { readonly __brand: 'Cursor' }
export type Cursors = Readonly<Record<string, Cursor>>

export type Delivery = { readonly envelope: Envelope; readonly busPartition: string; readonly cursor: Cursor }

export type Consumer = {
  /** The consumers of one group share the partitions; each group receives every message. */
  readonly group: string
  readonly topics: readonly Topic[]
  /** Called when partitions are assigned. Returns the cursor of the last handled message of each; none to start at the beginning. */
  loadCursors(): Promise<Cursors>
  /** Where a partition without a cursor starts; 'beginning' by default. 'now': after what exists when `consume` is called. */
  readonly startAt?: 'beginning' | 'now'
  /**
   * Called with messages in order, one call at a time per bus partition. A rejection stops that partition: the same messages come
   * again after a pause that grows up to a limit. The bus never skips a message; the consumer itself records one that cannot succeed
   * as a dead letter.
   */
  handle(deliveries: readonly Delivery[]): Promise<void>
  /**
   * Called, perhaps repeatedly, when the consumer has handled everything up to the last known end. `cursors` may be after the last
   * delivery, because messages of other topics followed it.
   */
  onCaughtUp?(cursors: Cursors): void
  /** Reads the log up to its end before any message of the bus: for effects, which must not act on a bus that is behind the log. */
  readonly readsLogFirst?: boolean
  /** The log is not the one that the cursor was made in. The bus delivers nothing more; only a rebuild with other cursors helps. */
  onDiscontinuity?(found: FoundDiscontinuity): void
  /** The consumer has stopped before an event that only another release can read. Called once per event. */
  onUnreadableEvent?(error: UnreadableEventError): void
  /** With startAt 'now': the bus has lost messages between two deliveries. The read models have them. */
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
   * Whether a consumer with these cursors has handled everything up to `target`. With `topics`, only what belongs to these topics: a
   * consumer has no cursors in partitions of others.
   */
  hasReached(cursors: Cursors, target: Cursors, topics?: readonly Topic[]): boolean
  /** Throws when the bus cannot serve. */
  check(): Promise<void>
  close(): Promise<void>
}
