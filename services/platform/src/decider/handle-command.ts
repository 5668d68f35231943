import { setTimeout as sleep } from 'node:timers/promises'
import type { Appended, Conflict, EventMetadata, EventStore, NewEvent, Position } from '../event-store/port.ts'
import { streamOf } from '../event-store/stream-name.ts'
import type { Decider, DomainEvent } from './decider.ts'
import { ok, type Result } from './result.ts'

export type CommandOptions = {
  /**
   * The id of the command's n-th event. Deterministic (deterministicEventId) wherever the command can come again: then a
   * repetition is recognised, and answered with what it recorded the first time.
   */
  readonly eventId: (index: number) => string
  readonly metadata?: EventMetadata
  /** How often to decide anew when another append came between. 5 when absent. */
  readonly maxAttempts?: number
}

/** What a command came to. */
export type Handled<State, Event> = {
  /** What it recorded; empty when it changed nothing. */
  readonly events: readonly Event[]
  /** The state afterwards. */
  readonly state: State
  readonly revision: number | 'no-stream'
  /** Of its last event; undefined when it recorded none. */
  readonly position: Position | undefined
  /** The command had been handled before; nothing was appended now. */
  readonly isRepetition: boolean
}

/** Other appends kept coming between reading the stream and appending to it. */
export class ConcurrencyError extends Error {
  override readonly name = 'ConcurrencyError'
  constructor(stream: string, attempts: number) {
    super(`${stream} kept changing through ${attempts} attempts`)
  }
}

const firstPauseMs = 4

/** Random, so that those who clashed do not clash again. */
const pauseBeforeAttempt = (attempt: number): Promise<void> => sleep(Math.random() * firstPauseMs * 2 ** attempt)

type Loaded<State, Event> = {
  readonly state: State
  readonly revision: number | 'no-stream'
  /** What an earlier run of the same command recorded. */
  readonly earlier: readonly Event[]
  readonly earlierPosition: Position | undefined
}

const load = async <State, Command, Event extends DomainEvent, Rejection>(
  store: Pick<EventStore, 'read'>,
  decider: Decider<State, Command, Event, Rejection>,
  stream: string,
  eventId: (index: number) => string,
): Promise<Loaded<State, Event>> => {
  let state = decider.initial
  let revision: number | 'no-stream' = 'no-stream'
  let earlierPosition: Position | undefined
  const earlier: Event[] = []
  let awaitedId = eventId(0)
  for await (const recorded of store.read(stream)) {
    const event = decider.parse(recorded)
    state = decider.evolve(state, event)
    revision = recorded.revision
    if (recorded.id === awaitedId) {
      earlier.push(event)
      earlierPosition = recorded.position
      awaitedId = eventId(earlier.length)
    }
  }
  return { state, revision, earlier, earlierPosition }
}

/** Folds a stream without deciding anything. */
export const loadState = async <State, Command, Event extends DomainEvent, Rejection>(
  store: Pick<EventStore, 'read'>,
  decider: Decider<State, Command, Event, Rejection>,
  id: string,
): Promise<{ readonly state: State; readonly revision: number | 'no-stream' }> => {
  let state = decider.initial
  let revision: number | 'no-stream' = 'no-stream'
  for await (const recorded of store.read(streamOf(decider.category, id))) {
    state = decider.evolve(state, decider.parse(recorded))
    revision = recorded.revision
  }
  return { state, revision }
}

const toNewEvents = (events: readonly DomainEvent[], { eventId, metadata }: CommandOptions): readonly NewEvent[] =>
  events.map(({ type, data }, index) => ({
    id: eventId(index),
    type,
    data,
    ...(metadata === undefined ? {} : { metadata }),
  }))

/**
 * Reads the stream, decides, and appends on condition that the stream is still as it was read; decides anew when it is not.
 * A rejection is a value; ConcurrencyError and failures of the store are thrown.
 */
export const handleCommand = async <State, Command, Event extends DomainEvent, Rejection>(
  store: Pick<EventStore, 'read' | 'append'>,
  decider: Decider<State, Command, Event, Rejection>,
  id: string,
  command: Command,
  options: CommandOptions,
): Promise<Result<Handled<State, Event>, Rejection>> => {
  const stream = streamOf(decider.category, id)
  const maxAttempts = options.maxAttempts ?? 5
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    if (attempt > 0) await pauseBeforeAttempt(attempt)
    const { state, revision, earlier, earlierPosition } = await load(store, decider, stream, options.eventId)
    if (earlier.length > 0) {
      return ok({ events: earlier, state, revision, position: earlierPosition, isRepetition: true })
    }
    const decided = decider.decide(command, state)
    if (!decided.ok) return decided
    const events = decided.value.map((event) => decider.parse(event))
    if (events.length === 0) return ok({ events, state, revision, position: undefined, isRepetition: false })
    const answer: Appended | Conflict = await store.append(stream, revision, toNewEvents(events, options))
    if (answer.kind === 'appended') {
      return ok({
        events,
        state: events.reduce((folded, event) => decider.evolve(folded, event), state),
        revision: answer.revision,
        position: answer.position,
        isRepetition: false,
      })
    }
  }
  throw new ConcurrencyError(stream, maxAttempts)
}
