/**
 * The event store port. SPEC.md numbers the rules; testing/event-store/contract.ts checks each of them against every adapter.
 */

/** A place in the whole log. Opaque text, fixed width in one store, so that text order is log order. */
export type Position = string & { readonly __brand: 'Position' }

/**
 * A place in the log that can be recognized: its position and the id of the event there. A log that was restored from an
 * older copy has another event at the position, or none.
 */
export type Checkpoint = { readonly position: Position; readonly eventId: string }

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined }

export type EventMetadata = {
  readonly correlationId?: string
  readonly causationId?: string
  /** The user whose request led to the event. */
  readonly actorId?: string
  /** ISO 8601, where it happened before it is recorded: sample data. The store's own `at` stays what it is. */
  readonly occurredAt?: string
  /** W3C trace context of the append; only where its trace is kept. Of no meaning to the domain. */
  readonly traceparent?: string
}

export type NewEvent = {
  /** UUID. A retry with the same id is idempotent, so it is deterministic wherever a command can be retried. */
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

/** All events that existed when the subscription looked have been delivered. Comes again after each catch-up. */
export type CaughtUp = {
  readonly kind: 'caught-up'
  readonly position: Position | 'start'
  /** The id of the event at `position`; undefined at the start of the log, or where the store does not know it. */
  readonly eventId?: string
}

/** A revision: exactly that one is the stream's last. 'no-stream': it has no event yet. 'any': do not check. */
export type ExpectedRevision = number | 'no-stream' | 'any'

export type Appended = {
  readonly kind: 'appended'
  /** Of the last event appended. */
  readonly revision: number
  readonly position: Position
}
/** Nothing was appended; `actualRevision` is the stream's last, or 'no-stream'. */
export type Conflict = { readonly kind: 'conflict'; readonly actualRevision: number | 'no-stream' }

/** Which streams a subscription sees: those of these categories (`category-…`), or all. */
export type Filter = { readonly categories: readonly string[] } | 'all'

export type EventStore = {
  /**
   * Appends all events or none, durably. At most 1,000 events and 1 MiB of JSON a call, and at least one event.
   * When all ids are already in the stream, answers as the first time, whatever `expected` says.
   */
  append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<Appended | Conflict>
  /** The stream's events from a revision on, in order; none for a stream that does not exist. */
  read(stream: string, fromRevision?: number): AsyncIterable<RecordedEvent>
  /**
   * Every event behind `after` that passes the filter, in log order, each once, then live ones; ends when `signal`
   * aborts. Pull-driven: a slow reader slows itself only. At most one 'caught-up' between two events.
   *
   * Rejects with UnknownPositionError when `after` lies behind the end of the log. After a checkpoint it also rejects when another
   * event is at its position, then and at each reconnection: the log is older than what was read from it.
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
  /** Throws when the store cannot serve. */
  check(): Promise<void>
  /** Waits for appends under way, then releases everything. */
  close(): Promise<void>
}
