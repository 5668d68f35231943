import { once } from 'node:events'
import { type Backoff, createBackoff } from '../../async/backoff.ts'
import { EventStoreUnavailableError, UnknownPositionError } from '../errors.ts'
import type { CaughtUp, Checkpoint, Filter, Position, RecordedEvent } from '../port.ts'
import { categoryOf } from '../stream-name.ts'
import type { SubscriptionItem, Engine, EngineRecord, StreamFilter } from './client.ts'
import type { LogRecognition, LogEvent } from './log-recognition.ts'
import { decodeEvent } from './decode-event.ts'
import { categoryStreamPattern, isEvent, type LogEnd, type EndOfLog } from './log-end.ts'
import { isAfter, type EventStoreDbPosition, parsePosition, formatPosition } from './log-position.ts'
import type { SubscriptionBuffer } from './subscription-buffer.ts'

/** After this silence, a subscription may have caught up even if the server has not said so. */
const quietMs = 250
const reconnectPauses = { firstMs: 25, maxMs: 2_000 } as const

type Wanted = { readonly filter: StreamFilter; passes(record: EngineRecord): boolean }

const wantedRecords = (filter: Filter): Wanted => {
  if (filter === 'all') return { filter: { regex: categoryStreamPattern }, passes: isEvent }
  const categories = new Set(filter.categories)
  return {
    filter: { prefixes: [...categories].map((category) => `${category}-`) },
    passes: (record) => isEvent(record) && categories.has(categoryOf(record.stream)),
  }
}

/** The state of a subscription across reconnections. */
type SubscriptionState = {
  /** All wanted events up to this position have been delivered. */
  position: EventStoreDbPosition | 'start'
  /** An event at or before `position` that the log must still have. Undefined after a position without an event id. */
  lastSeen: LogEvent | undefined
  /** Becomes `lastSeen` once `position` reaches it. */
  pendingSeen: LogEvent | undefined
  isCaughtUpReported: boolean
  /** The end of the log when it was last read. The subscription has caught up with it after `lastWanted`. */
  target: { readonly end: LogEvent | 'start'; readonly lastWanted: EventStoreDbPosition } | undefined
  readonly backoff: Backoff
}

type SubscribeDeps = {
  readonly engine: Engine
  readonly end: LogEnd
  readonly recognition: LogRecognition
  /** Aborts when the caller stops the subscription or the store closes. */
  readonly signal: AbortSignal
}

/** Waits for `work`, but not after the signal has aborted. */
const untilAborted = async (work: Promise<void>, signal: AbortSignal): Promise<void> => {
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

/** Records that all wanted events up to `position` have been delivered. */
const advanceTo = (state: SubscriptionState, position: EventStoreDbPosition, latest: LogEvent | 'start'): void => {
  if (isAfter(position, state.position)) state.position = position
  const { pendingSeen } = state
  if (pendingSeen !== undefined && !isAfter(pendingSeen.position, state.position)) {
    if (isLater(pendingSeen, state.lastSeen)) state.lastSeen = pendingSeen
    state.pendingSeen = undefined
  }
  if (latest !== 'start' && isLater(latest, state.lastSeen)) state.pendingSeen ??= latest
}

const caughtUpAt = (state: SubscriptionState, end: LogEvent | 'start'): CaughtUp => {
  state.isCaughtUpReported = true
  state.target = undefined
  if (end !== 'start') {
    if (isLater(end, state.lastSeen)) state.lastSeen = end
    if (isAfter(end.position, state.position)) state.position = end.position
  }
  // Events may have been delivered since the end was read.
  const { lastSeen } = state
  return lastSeen === undefined
    ? { kind: 'caught-up', position: 'start' }
    : { kind: 'caught-up', position: formatPosition(lastSeen.position), eventId: lastSeen.id }
}

/** Reads the end of the log for one subscription, with at most one request at a time. */
const createEndReader = ({ end }: SubscribeDeps, wanted: Wanted, state: SubscriptionState, wake: () => void) => {
  let cancel: (() => void) | undefined
  let result: EndOfLog | undefined
  let failure: { readonly error: unknown } | undefined
  let notBeforeMs = Number.NEGATIVE_INFINITY

  const settle = (): void => {
    cancel = undefined
    wake()
  }
  return {
    isReading: () => cancel !== undefined,
    notBeforeMs: () => notBeforeMs,
    read: (): void => {
      cancel ??= end.request({
        after: () => state.position,
        isWanted: wanted.passes,
        resolve: (endOfLog) => {
          result = endOfLog
          settle()
        },
        reject: (error) => {
          if (error instanceof EventStoreUnavailableError) notBeforeMs = performance.now() + quietMs
          else failure = { error }
          settle()
        },
      })
    },
    take: (): EndOfLog | undefined => {
      if (failure !== undefined) throw failure.error
      const taken = result
      result = undefined
      return taken
    },
    stop: () => cancel?.(),
  }
}

/** Delivers what one call returns, until the call ends. */
async function* deliverCall(
  deps: SubscribeDeps,
  call: SubscriptionBuffer<SubscriptionItem>,
  wanted: Wanted,
  state: SubscriptionState,
): AsyncGenerator<RecordedEvent | CaughtUp, void, undefined> {
  const { end, signal } = deps
  const endReader = createEndReader(deps, wanted, state, call.wake)
  let isLive = false
  let quietSinceMs = performance.now()
  const mustReadEnd = (): boolean => !state.isCaughtUpReported && state.target === undefined && !endReader.isReading()

  try {
    while (!signal.aborted) {
      const endOfLog = endReader.take()
      if (endOfLog !== undefined) {
        const { lastWanted } = endOfLog
        if (lastWanted !== undefined && isAfter(lastWanted, state.position)) {
          state.target = { end: endOfLog.end, lastWanted }
        } else yield caughtUpAt(state, endOfLog.end)
        continue
      }
      const item = call.take()
      if (item !== undefined) {
        state.backoff.reset()
        quietSinceMs = performance.now()
        if (item.kind === 'caught-up') isLive = true
        else if (item.kind === 'checkpoint') advanceTo(state, item.position, end.latest())
        else {
          const { record } = item
          // The server may repeat records.
          if (!wanted.passes(record) || !isAfter(record.position, state.position)) continue
          state.position = record.position
          state.lastSeen = { position: record.position, id: record.id }
          state.isCaughtUpReported = false
          end.observe(state.lastSeen)
          yield decodeEvent(record)
        }
        const { target } = state
        if (target !== undefined && !signal.aborted && !isAfter(target.lastWanted, state.position)) {
          yield caughtUpAt(state, target.end)
        }
        if (isLive && mustReadEnd() && performance.now() >= endReader.notBeforeMs()) endReader.read()
        continue
      }
      const ended = call.ending()
      if (ended !== undefined) {
        if (ended.error !== undefined && !(ended.error instanceof EventStoreUnavailableError)) throw ended.error
        return
      }
      const readInMs = Math.max(endReader.notBeforeMs(), isLive ? 0 : quietSinceMs + quietMs) - performance.now()
      if (!mustReadEnd()) await call.changed()
      else if (readInMs > 0) await call.changed(readInMs)
      else endReader.read()
    }
  } finally {
    endReader.stop()
  }
}

/** Throws if the server's log is not the one read so far, but another log or an older copy. */
const requireSameLog = async (
  { end, recognition }: SubscribeDeps,
  { lastSeen, position }: SubscriptionState,
): Promise<void> => {
  if (lastSeen !== undefined) {
    if (!(await recognition.isGone(lastSeen))) return
    throw new UnknownPositionError(
      `The event at position ${formatPosition(lastSeen.position)} is missing from the event store`,
    )
  }
  if (position !== 'start' && isAfter(position, await end.newestPosition())) {
    throw new UnknownPositionError(`Position ${formatPosition(position)} is after the end of the event store`)
  }
}

/** A filter without categories matches no event: reports 'caught-up' once. */
async function* subscribeToNothing(
  { end, signal }: SubscribeDeps,
  state: SubscriptionState,
): AsyncGenerator<CaughtUp, void, undefined> {
  const endOfLog = await end.read()
  if (!signal.aborted) yield caughtUpAt(state, endOfLog.end)
  if (!signal.aborted) await once(signal, 'abort')
}

const initialState = (after: Position | Checkpoint | 'start'): SubscriptionState => {
  const text = typeof after === 'string' ? after : after.position
  const position: EventStoreDbPosition | 'start' = text === 'start' ? 'start' : parsePosition(text)
  return {
    position,
    lastSeen: typeof after === 'string' || position === 'start' ? undefined : { position, id: after.eventId },
    pendingSeen: undefined,
    isCaughtUpReported: false,
    target: undefined,
    backoff: createBackoff(reconnectPauses),
  }
}

/**
 * Delivers the log after a position, then live events. Reconnects when the connection breaks, and then first checks that the log
 * still has the last event it delivered.
 *
 * The server's checkpoints and 'caught up' messages may be missing, late or repeated, so they are only hints. Received events
 * advance the subscription, and reading the end of the log shows whether it has caught up.
 */
export async function* subscribe(
  deps: SubscribeDeps,
  after: Position | Checkpoint | 'start',
  filter: Filter,
): AsyncGenerator<RecordedEvent | CaughtUp, void, undefined> {
  const { engine, signal } = deps
  if (signal.aborted) return
  const state = initialState(after)
  if (filter !== 'all' && filter.categories.length === 0) return yield* subscribeToNothing(deps, state)
  const wanted = wantedRecords(filter)
  while (!signal.aborted) {
    let isChecked = false
    try {
      await untilAborted(requireSameLog(deps, state), signal)
      isChecked = true
    } catch (error) {
      if (!(error instanceof EventStoreUnavailableError)) throw error
    }
    if (isChecked && !signal.aborted) {
      // Resume at the last event that the log is known to have. Later positions came only from checkpoints.
      if (state.lastSeen !== undefined) state.position = state.lastSeen.position
      const call = engine.subscribe(state.position, wanted.filter)
      const onAbort = (): void => call.stop()
      signal.addEventListener('abort', onAbort)
      try {
        yield* deliverCall(deps, call, wanted, state)
        if (!signal.aborted) deps.recognition.connectionLost()
      } finally {
        signal.removeEventListener('abort', onAbort)
        call.stop()
      }
    }
    if (signal.aborted) return
    await state.backoff.pause(signal)
  }
}
