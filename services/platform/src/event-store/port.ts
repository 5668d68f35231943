/**
 * The event store port. SPEC.md numbers the rules; testing/event-store/contract.ts checks each of them against every adapter.
 */

/** A position in the whole log. Opaque text of fixed width in each store, so that text order is log order. */
export type Position = string & { readonly __brand: 'Position' }

/**
 * A position and the id of the event there. It shows whether the log is still the same: a log restored from an older copy has
 * another event at the position, or none.
 */
export type Checkpoint = { readonly position: Position; readonly eventId: string }

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined }

export type EventMetadata = {
  readonly correlationId?: string
  readonly causationId?: string
  /** The user whose request led to the event. */
  readonly actorId?: string
  /** The API key of that user, if a program made the request. */
  readonly apiKeyId?: string
  /** ISO 8601, for events that happened before they were recorded, such as sample data. Does not change `at`. */
  readonly occurredAt?: string
  /** W3C trace context of the append, if its trace is sampled. Not used by the domain. */
  readonly traceparent?: string
}

export type NewEvent = {
  /** UUID. Appends with the same ids are idempotent, so ids are deterministic where a command can be retried. */
  readonly id: string
  readonly type: string
  readonly data: object
  readonly metadata?: EventMetadata
}

export type RecordedEvent = {
  readonly kind: 'event'
  readonly position: Position
  readonly stream: string
  /** Counted from 0 in each stream. */
  readonly revision: number
  readonly id: string
  readonly type: string
  readonly data: unknown
  readonly metadata: EventMetadata
  /** ISO 8601, set by the store. */
  readonly at: string
}

/** All events up to the end of the log, as last read, have been delivered. Repeated after each catch-up. */
export type CaughtUp = {
  readonly kind: 'caught-up'
  readonly position: Position | 'start'
  /** The id of the event at `position`. Undefined at the start of the log, or if the store does not know it. */
  readonly eventId?: string
}

/** A number: the stream's last revision. 'no-stream': the stream has no event. 'any': do not check. */
export type ExpectedRevision = number | 'no-stream' | 'any'

export type Appended = {
  readonly kind: 'appended'
  /** Revision of the last event appended. */
  readonly revision: number
  readonly position: Position
}
/** Nothing was appended; `actualRevision` is the stream's last, or 'no-stream'. */
export type Conflict = { readonly kind: 'conflict'; readonly actualRevision: number | 'no-stream' }

/** Which streams a subscription delivers: those of the categories (`category-…`), or all. */
export type Filter = { readonly categories: readonly string[] } | 'all'

export type EventStore = {
  /**
   * Appends all events or none, durably: 1 to 1,000 events and at most 1 MiB of JSON. If all ids are already in the stream, returns
   * the first answer again, for any `expected`.
   */
  append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<Appended | Conflict>
  /** The stream's events from a revision, in order. None for a stream that does not exist. */
  read(stream: string, fromRevision?: number): AsyncIterable<RecordedEvent>
  /**
   * Delivers every event after `after` that passes the filter, once and in log order, then live events. Ends when `signal` aborts.
   * Pull-driven: a slow reader does not delay others. At most one 'caught-up' between two events.
   *
   * Rejects with UnknownPositionError if `after` is after the end of the log. Given a checkpoint, it also rejects if the log has
   * another event at that position, at the start or at a reconnection.
   */
  subscribe(
    after: Position | Checkpoint | 'start',
    filter: Filter,
    signal: AbortSignal,
  ): AsyncIterable<RecordedEvent | CaughtUp>
  /** Whether the log has this event at this position. */
  holds(checkpoint: Checkpoint): Promise<boolean>
  /** The position of the last event, or 'start' of an empty store. */
  end(): Promise<Position | 'start'>
  /** Rejects if the store cannot read or write. */
  check(): Promise<void>
  /** Waits for pending appends, then closes all connections and files. */
  close(): Promise<void>
}
