import { once } from 'node:events'
import { type Backoff, createBackoff } from '../../async/backoff.ts'
import { EventStoreUnavailableError, UnknownPositionError } from '../errors.ts'
import type { CaughtUp, Checkpoint, Filter, Position, RecordedEvent } from '../port.ts'
import { categoryOf } from '../stream-name.ts'
import type { Arrival, Engine, EngineRecord, StreamFilter } from './client.ts'
import type { Continuity, LogEvent } from './continuity.ts'
import { decodeEvent } from './read.ts'
import { categoryStreams, isEvent, type LogEnd, type Look } from './log-end.ts'
import { isAfter, type EventStoreDbPosition, parsePosition, formatPosition } from './log-position.ts'
import type { SubscriptionBuffer } from './subscription-buffer.ts'

/** A subscription that has brought nothing for so long may have caught up, whatever it says. */
const quietMs = 250
const reconnectPauses = { firstMs: 25, maxMs: 2_000 } as const

type Wanted = { readonly filter: StreamFilter; passes(record: EngineRecord): boolean }

const wantedBy = (filter: Filter): Wanted => {
  if (filter === 'all') return { filter: { regex: categoryStreams }, passes: isEvent }
  const categories = new Set(filter.categories)
  return {
    filter: { prefixes: [...categories].map((category) => `${category}-`) },
    passes: (record) => isEvent(record) && categories.has(categoryOf(record.stream)),
  }
}

/** Where a subscription stands; kept over reconnections. */
type Standing = {
  /** All that is wanted up to here has been delivered. */
  passed: EventStoreDbPosition | 'start'
  /** An event at or before that, by which the log is recognized. Undefined after a position alone. */
  known: LogEvent | undefined
  /** An event that the server has not passed yet when it was noted. It becomes the known one. */
  ahead: LogEvent | undefined
  hasSaidSo: boolean
  /** What has to come before it is caught up with what the log was at the last look. */
  target: { readonly end: LogEvent | 'start'; readonly lastWanted: EventStoreDbPosition } | undefined
  readonly backoff: Backoff
}

type Following = {
  readonly engine: Engine
  readonly end: LogEnd
  readonly continuity: Continuity
  /** Aborted by the caller, or because the store closes. */
  readonly signal: AbortSignal
}

/** The outcome of work, unless the signal aborts first. */
const unlessAborted = async (work: Promise<void>, signal: AbortSignal): Promise<void> => {
  const { promise: aborted, resolve } = Promise.withResolvers<void>()
  const onAbort = (): void => resolve()
  signal.addEventListener('abort', onAbort)
  try {
    await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

const isLater = (event: LogEvent, other: LogEvent | undefined): boolean =>
  other === undefined || isAfter(event.position, other.position)

/** All that is wanted up to there has been delivered, by what the server says or by a look at the log. */
const passTo = (standing: Standing, place: EventStoreDbPosition, latest: LogEvent | 'start'): void => {
  if (isAfter(place, standing.passed)) standing.passed = place
  const { ahead } = standing
  if (ahead !== undefined && !isAfter(ahead.position, standing.passed)) {
    if (isLater(ahead, standing.known)) standing.known = ahead
    standing.ahead = undefined
  }
  if (latest !== 'start' && isLater(latest, standing.known)) standing.ahead ??= latest
}

const caughtUpAt = (standing: Standing, end: LogEvent | 'start'): CaughtUp => {
  standing.hasSaidSo = true
  standing.target = undefined
  if (end !== 'start') {
    if (isLater(end, standing.known)) standing.known = end
    if (isAfter(end.position, standing.passed)) standing.passed = end.position
  }
  // Events may have been delivered since the look.
  const { known } = standing
  return known === undefined
    ? { kind: 'caught-up', position: 'start' }
    : { kind: 'caught-up', position: formatPosition(known.position), eventId: known.id }
}

/** What a subscription asks of the log's end, at most one question at a time. */
const createAsking = ({ end }: Following, wanted: Wanted, standing: Standing, wake: () => void) => {
  let withdraw: (() => void) | undefined
  let answer: Look | undefined
  let failure: { readonly error: unknown } | undefined
  let notBeforeMs = Number.NEGATIVE_INFINITY

  const settle = (): void => {
    withdraw = undefined
    wake()
  }
  return {
    isOpen: () => withdraw !== undefined,
    notBeforeMs: () => notBeforeMs,
    ask: (): void => {
      withdraw ??= end.ask({
        behind: () => standing.passed,
        isWanted: wanted.passes,
        answer: (look) => {
          answer = look
          settle()
        },
        fail: (error) => {
          // The log cannot be read just now.
          if (error instanceof EventStoreUnavailableError) notBeforeMs = performance.now() + quietMs
          else failure = { error }
          settle()
        },
      })
    },
    take: (): Look | undefined => {
      if (failure !== undefined) throw failure.error
      const taken = answer
      answer = undefined
      return taken
    },
    stop: () => withdraw?.(),
  }
}

/** What one call brings, until it ends. */
async function* followCall(
  following: Following,
  call: SubscriptionBuffer<Arrival>,
  wanted: Wanted,
  standing: Standing,
): AsyncGenerator<RecordedEvent | CaughtUp, void, undefined> {
  const { end, signal } = following
  const asking = createAsking(following, wanted, standing, call.nudge)
  let isLive = false
  let quietSinceMs = performance.now()
  const hasToAsk = (): boolean => !standing.hasSaidSo && standing.target === undefined && !asking.isOpen()

  try {
    while (!signal.aborted) {
      const look = asking.take()
      if (look !== undefined) {
        const { lastWanted } = look
        if (lastWanted !== undefined && isAfter(lastWanted, standing.passed)) {
          standing.target = { end: look.end, lastWanted }
        } else yield caughtUpAt(standing, look.end)
        continue
      }
      const arrival = call.take()
      if (arrival !== undefined) {
        standing.backoff.reset()
        quietSinceMs = performance.now()
        if (arrival.kind === 'live') isLive = true
        else if (arrival.kind === 'passed') passTo(standing, arrival.position, end.latest())
        else {
          const { record } = arrival
          // Nothing comes twice, whatever a server repeats.
          if (!wanted.passes(record) || !isAfter(record.position, standing.passed)) continue
          standing.passed = record.position
          standing.known = { position: record.position, id: record.id }
          standing.hasSaidSo = false
          end.note(standing.known)
          yield decodeEvent(record)
        }
        const { target } = standing
        if (target !== undefined && !signal.aborted && !isAfter(target.lastWanted, standing.passed)) {
          yield caughtUpAt(standing, target.end)
        }
        if (isLive && hasToAsk() && performance.now() >= asking.notBeforeMs()) asking.ask()
        continue
      }
      const ended = call.ending()
      if (ended !== undefined) {
        if (ended.error !== undefined && !(ended.error instanceof EventStoreUnavailableError)) throw ended.error
        return
      }
      const askInMs = Math.max(asking.notBeforeMs(), isLive ? 0 : quietSinceMs + quietMs) - performance.now()
      if (!hasToAsk()) await call.changed()
      else if (askInMs > 0) await call.changed(askInMs)
      else asking.ask()
    }
  } finally {
    asking.stop()
  }
}

/** Throws when the log is not the one that was read so far: another one, or an older copy of it. */
const checkPlace = async ({ end, continuity }: Following, { known, passed }: Standing): Promise<void> => {
  if (known !== undefined) {
    if (!(await continuity.isGone(known))) return
    throw new UnknownPositionError(
      `The event at position ${formatPosition(known.position)} is missing from the event store`,
    )
  }
  if (passed !== 'start' && isAfter(passed, await end.newest())) {
    throw new UnknownPositionError(`Position ${formatPosition(passed)} lies behind the end of the event store`)
  }
}

/** Without categories nothing can come but that. */
async function* followNothing(
  { end, signal }: Following,
  standing: Standing,
): AsyncGenerator<CaughtUp, void, undefined> {
  const look = await end.look()
  if (!signal.aborted) yield caughtUpAt(standing, look.end)
  if (!signal.aborted) await once(signal, 'abort')
}

const standingAfter = (after: Position | Checkpoint | 'start'): Standing => {
  const position = typeof after === 'string' ? after : after.position
  const passed: EventStoreDbPosition | 'start' = position === 'start' ? 'start' : parsePosition(position)
  return {
    passed,
    known: typeof after === 'string' || passed === 'start' ? undefined : { position: passed, id: after.eventId },
    ahead: undefined,
    hasSaidSo: false,
    target: undefined,
    backoff: createBackoff(reconnectPauses),
  }
}

/**
 * The log from behind a place on, then live, over any number of connections; at each of them the log is recognized by an event that
 * it has to hold. Only events that arrive move a subscription on, and that it has caught up is found out by reading the log's end:
 * what the server says about either may be missing, late or repeated, and is used as a hint.
 */
export async function* subscribe(
  following: Following,
  after: Position | Checkpoint | 'start',
  filter: Filter,
): AsyncGenerator<RecordedEvent | CaughtUp, void, undefined> {
  const { engine, signal } = following
  if (signal.aborted) return
  const standing = standingAfter(after)
  if (filter !== 'all' && filter.categories.length === 0) return yield* followNothing(following, standing)
  const wanted = wantedBy(filter)
  while (!signal.aborted) {
    let isChecked = false
    try {
      await unlessAborted(checkPlace(following, standing), signal)
      isChecked = true
    } catch (error) {
      if (!(error instanceof EventStoreUnavailableError)) throw error
    }
    if (isChecked && !signal.aborted) {
      // From the event that is known to be there: one that was passed without being seen may be gone.
      if (standing.known !== undefined) standing.passed = standing.known.position
      const call = engine.subscribe(standing.passed, wanted.filter)
      const onAbort = (): void => call.stop()
      signal.addEventListener('abort', onAbort)
      try {
        yield* followCall(following, call, wanted, standing)
      } finally {
        signal.removeEventListener('abort', onAbort)
        call.stop()
      }
    }
    if (signal.aborted) return
    await standing.backoff.pause(signal)
  }
}
