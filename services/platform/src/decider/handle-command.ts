import { setTimeout as sleep } from 'node:timers/promises'
import type { EventMetadata, EventStore, NewEvent, Position, RecordedEvent } from '../event-store/port.ts'
import { streamOf } from '../event-store/stream-name.ts'
import { type Decider, type DomainEvent, ok, type Result } from './decider.ts'

type CommandOptions = {
  /**
   * The id of the command's n-th event. Deterministic (deterministicEventId) wherever the command can come again: then a
   * repetition is recognized, and answered with what it recorded the first time.
   */
  readonly eventId: (index: number) => string
  readonly metadata?: EventMetadata
  /**
   * The id was made for this command, so that the stream is expected to have no event: nothing is read first. If it has some
   * after all, the append finds out.
   */
  readonly isForNewStream?: boolean
  /** How often to decide anew when another append came between. 5 when absent. */
  readonly maxAttempts?: number
}

/** What a command came to. */
type CommandResult<State, Event> = {
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
  readonly isTransient = true
  constructor(stream: string, attempts: number) {
    super(`${stream} kept changing through ${attempts} attempts`)
  }
}

const firstPauseMs = 4
const maxPauseMs = 64

/** Random, so that those who clashed do not clash again. */
const pauseBeforeAttempt = (attempt: number): Promise<void> =>
  sleep(Math.random() * Math.min(maxPauseMs, firstPauseMs * 2 ** attempt))

export type LoadedState<State> = {
  readonly state: State
  /** The stream's last, or 'no-stream': what an append that relies on the state has to expect. */
  readonly revision: number | 'no-stream'
}

/** Folds the events of a stream. `onEvent` is shown each of them on the way. */
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

/** Picks out of a stream what an earlier run of the same command recorded. */
const createEarlierEvents = <Event>(eventId: (index: number) => string) => {
  const events: Event[] = []
  let position: Position | undefined
  let awaitedId = eventId(0)
  return {
    events,
    position: () => position,
    note: (event: Event, recorded: RecordedEvent): void => {
      if (recorded.id !== awaitedId) return
      events.push(event)
      position = recorded.position
      awaitedId = eventId(events.length)
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

/**
 * Reads the stream, decides, and appends on condition that the stream is still as it was read; decides anew when it is not.
 * A rejection is a value; ConcurrencyError and failures of the store are thrown.
 */
export const handleCommand = async <State, Command, Event extends DomainEvent, Rejection>(
  store: Pick<EventStore, 'read' | 'append'>,
  decider: Decider<State, Command, Event, Rejection>,
  id: string,
  command: Command,
  options: CommandOptions & {
    /**
     * What an earlier command came to: only what was recorded since is read. Not for commands that can come again, as what lies
     * before is not searched for a repetition.
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
    const presumed = attempt === 0 && options.isForNewStream === true
    const { state, revision } = presumed
      ? emptyState(decider)
      : await loadState(store, decider, id, earlier.note, known)
    if (earlier.position() !== undefined) {
      return ok({ events: earlier.events, state, revision, position: earlier.position(), isRepetition: true })
    }
    const decided = decider.decide(command, state)
    if (!decided.ok) return decided
    const events = decided.value.map((event) => decider.parse(event))
    if (events.length === 0) return ok({ events, state, revision, position: undefined, isRepetition: false })
    const answer = await store.append(stream, revision, toNewEvents(events, options))
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
