import type { Envelope, Topic } from '@portal/contracts/shared/event-envelope'
import type { FoundDiscontinuity } from '../discontinuity/discontinuity.ts'
import type { UnreadableEventError } from './unreadable-event.ts'

/**
 * The bus port: integration events, at least once, in order per key. SPEC.md numbers the rules.
 *
 * Where a consumer starts is the consumer's own knowledge (its cursors, kept beside what it wrote), never the broker's.
 */

/** A place in one bus partition. Opaque text; only the adapter that made it reads it. */
export type Cursor = string & { readonly __brand: 'Cursor' }
export type Cursors = Readonly<Record<string, Cursor>>

export type Delivery = { readonly envelope: Envelope; readonly busPartition: string; readonly cursor: Cursor }

export type Consumer = {
  /** Members of one group share the partitions; each group sees every message. */
  readonly group: string
  readonly topics: readonly Topic[]
  /** Asked when partitions are assigned: the last handled cursor of each, or none to start at the beginning. */
  loadCursors(): Promise<Cursors>
  /** Where a partition without a cursor starts; 'beginning' if not said. 'now': behind what is there at the call of consume. */
  readonly startAt?: 'beginning' | 'now'
  /**
   * Called with messages in order, one call at a time per bus partition. A rejection stops that partition: the same messages
   * come again after a pause that grows to a bound. Handing over a message that can never succeed to the parking
   * list is the consumer's business (projection/dead-letters.ts), so that the bus never has to skip.
   */
  handle(deliveries: readonly Delivery[]): Promise<void>
  /**
   * The consumer has handled all that was there when it looked. May come more than once. `cursors` may be further than the
   * last delivery's, when what followed was of other topics.
   */
  onCaughtUp?(cursors: Cursors): void
  /**
   * On start, everything up to the log's end is read from the log before any message of the bus: for effects, which must not act on
   * a bus that is behind the log.
   */
  readonly readsLogFirst?: boolean
  /**
   * The log is not the one that the consumer's cursor was made in. Nothing is delivered any more; only a rebuild of the consumer,
   * with other cursors, helps.
   */
  onDiscontinuity?(found: FoundDiscontinuity): void
  /** It stands still before an event that only another release can read. May not be called again for the same event. */
  onUnreadableEvent?(error: UnreadableEventError): void
  /** Of a consumer that starts 'now': messages between two deliveries were lost with the bus. They are in the read models. */
  onGap?(): void
  readonly maxBatch?: number
}

export type Subscription = {
  /** Of a consumer that starts 'now': the end of each bus partition when it started. Empty for others. */
  readonly startedAt: Cursors
  /** Stops after the batch under way. */
  stop(): Promise<void>
}

export type Bus = {
  consume(consumer: Consumer): Promise<Subscription>
  /**
   * Whether a consumer with these cursors has handled everything up to the others; with `topics`, everything of those topics: a
   * consumer has no cursors in the partitions of others.
   */
  hasReached(cursors: Cursors, target: Cursors, topics?: readonly Topic[]): boolean
  /** Throws when the bus cannot serve. */
  check(): Promise<void>
  close(): Promise<void>
}
