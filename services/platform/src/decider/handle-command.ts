import { setTimeout as sleep } from 'node:timers/promises'
import type { EventMetadata, EventStore, NewEvent, Position, RecordedEvent } from '../event-store/port.ts'
import { streamOf } from '../event-store/stream-name.ts'
import { type Decider, type DomainEvent, ok, type Result } from './decider.ts'

type CommandOptions = {
  /**
   * The id of the command's n-th event. Deterministic (deterministicEventId) if the command can be repeated: a repetition then
   * returns the events that were recorded the first time.
   */
  readonly eventId: (index: number) => string
  readonly metadata?: EventMetadata
  /**
   * The stream should have no event, because its id was created for this command. It is not read first; if it does have events,
   * the append conflicts.
   */
  readonly isForNewStream?: boolean
  /** How often to decide, if appends conflict. 5 by default. */
  readonly maxAttempts?: number
}

/** The result of a command that was not rejected. */
type CommandResult<State, Event> = {
  /** The recorded events; empty if the command changed nothing. */
  readonly events: readonly Event[]
  /** The state afterwards. */
  readonly state: State
  readonly revision: number | 'no-stream'
  /** The position of the last event; undefined if there is none. */
  readonly position: Position | undefined
  /** The command had been handled before, so nothing was appended. */
  readonly isRepetition: boolean
}

/** Every attempt conflicted with another append. */
export class ConcurrencyError extends Error {
  override readonly name = 'ConcurrencyError'
  readonly isTransient = true
  constructor(stream: string, attempts: number) {
    super(`${stream} changed during each of ${attempts} attempts`)
  }
}

const firstPauseMs = 4
const maxPauseMs = 64

/** Random, so that the same commands do not conflict again. */
const pauseBeforeAttempt = (attempt: number): Promise<void> =>
  sleep(Math.random() * Math.min(maxPauseMs, firstPauseMs * 2 ** attempt))

export type LoadedState<State> = {
  readonly state: State
  /** The stream's last revision, which an append based on the state has to expect. */
  readonly revision: number | 'no-stream'
}

/** Folds the events of a stream. Calls `onEvent` for each. */
export const loadState = async <State, Command, Event extends DomainEvent, Rejection>(
  store: Pick<EventStore, 'read'>,
  decider: Decider<State, Command, Event, Rejection>,
  id: string,
  onEvent?: (event: Event, recorded: RecordedEvent) => void,
  from: LoadedState<State> = emptyState(decider),
): Promise<LoadedState<State>> => {
  let { state, revision } = from
  const fromRevision = revision === 'no-stream' ? 0 : revision + 1
  for await (const recorded of store.read(streamOf(decider.category, id), fromRevision)) {
    const event = decider.parse(recorded)
    state = decider.evolve(state, event)
    revision = recorded.revision
    onEvent?.(event, recorded)
  }
  return { state, revision }
}

const emptyState = <State>({ initial }: { readonly initial: State }): LoadedState<State> => ({
  state: initial,
  revision: 'no-stream',
})

/** Collects the events that an earlier run of the same command has recorded. */
const createEarlierEvents = <Event>(eventId: (index: number) => string) => {
  const events: Event[] = []
  let position: Position | undefined
  let nextId = eventId(0)
  return {
    events,
    position: () => position,
    collect: (event: Event, recorded: RecordedEvent): void => {
      if (recorded.id !== nextId) return
      events.push(event)
      position = recorded.position
      nextId = eventId(events.length)
    },
  }
}

const toNewEvents = (events: readonly DomainEvent[], { eventId, metadata }: CommandOptions): readonly NewEvent[] =>
  events.map(({ type, data }, index) => ({
    id: eventId(index),
    type,
    data,
    ...(metadata === undefined ? {} : { metadata }),
  }))

/** The stream ends before the known revision: the log was restored from an older copy. */
const isShorter = (actual: number | 'no-stream', known: number | 'no-stream'): boolean =>
  known !== 'no-stream' && (actual === 'no-stream' || actual < known)

/** With another revision, a concurrent run of the same command has recorded the events, after events that were not read here. */
const revisionAfter = (revision: number | 'no-stream', events: number): number =>
  revision === 'no-stream' ? events - 1 : revision + events

/**
 * Reads the stream, decides, and appends if the stream has not changed. On a conflict, it starts again. Returns rejections; throws
 * ConcurrencyError and errors of the store.
 */
export const handleCommand = async <State, Command, Event extends DomainEvent, Rejection>(
  store: Pick<EventStore, 'read' | 'append'>,
  decider: Decider<State, Command, Event, Rejection>,
  id: string,
  command: Command,
  options: CommandOptions & {
    /**
     * The result of an earlier command, so that only later events are read. Not for commands that can be repeated: earlier events
     * are not searched for a repetition.
     */
    readonly known?: LoadedState<State> | undefined
  },
): Promise<Result<CommandResult<State, Event>, Rejection>> => {
  const stream = streamOf(decider.category, id)
  const maxAttempts = options.maxAttempts ?? 5
  let { known } = options
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    if (attempt > 0) await pauseBeforeAttempt(attempt)
    const earlier = createEarlierEvents<Event>(options.eventId)
    const isPresumedNew = attempt === 0 && options.isForNewStream === true
    const { state, revision } = isPresumedNew
      ? emptyState(decider)
      : await loadState(store, decider, id, earlier.collect, known)
    if (earlier.position() !== undefined) {
      return ok({ events: earlier.events, state, revision, position: earlier.position(), isRepetition: true })
    }
    const decided = decider.decide(command, state)
    if (!decided.ok) return decided
    const events = decided.value.map((event) => decider.parse(event))
    if (events.length === 0) return ok({ events, state, revision, position: undefined, isRepetition: false })
    const answer = await store.append(stream, revision, toNewEvents(events, options))
    if (answer.kind === 'appended' && answer.revision !== revisionAfter(revision, events.length)) continue
    if (answer.kind === 'appended') {
      return ok({
        events,
        state: events.reduce((folded, event) => decider.evolve(folded, event), state),
        revision: answer.revision,
        position: answer.position,
        isRepetition: false,
      })
    }
    if (known !== undefined && isShorter(answer.actualRevision, known.revision)) known = undefined
  }
  throw new ConcurrencyError(stream, maxAttempts)
}
