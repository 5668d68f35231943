import { EventStoreUnavailableError, UnknownPositionError } from '../errors.ts'
import type { CaughtUp, Filter, Position, Recorded } from '../port.ts'
import { categoryOf } from '../stream-name.ts'
import type { Arrivals } from './arrivals.ts'
import type { Arrival, Engine, EngineRecord, StreamFilter } from './client.ts'
import { categoryStreams, isEvent, type LogEnd, type Look } from './log-end.ts'
import { isBehind, type Place, placeOf } from './place.ts'
import { recordedOf } from './recorded.ts'

/** Between two looks where the log ends; a look costs a read. */
const lookPauseMs = 20
/** A subscription that has brought nothing for so long may have caught up, whatever it says. */
const quietMs = 250
/** So many events at most between two looks, also when events never stop to come. */
const mostEventsUnlooked = 512
const reconnectPauses = { firstMs: 25, longestMs: 2_000 } as const

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
  passed: Place | 'start'
  hasSaidSo: boolean
  /** What has to come before it is caught up with what the log was at the last look. */
  target: (Look & { readonly lastWanted: Place }) | undefined
  eventsUnlooked: number
  pauseMs: number
}

export type Following = {
  readonly engine: Engine
  readonly end: LogEnd
  /** Aborted by the caller, or because the store closes. */
  readonly signal: AbortSignal
}

const later = (timeoutMs: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(done, timeoutMs)
    function done(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    signal.addEventListener('abort', done)
    if (signal.aborted) done()
  })

/** Undefined when the log cannot be read just now, or nobody waits any more. */
const lookNow = async (
  { end, signal }: Following,
  passed: Place | 'start',
  wanted: Wanted,
): Promise<Look | undefined> => {
  const { promise: aborted, resolve } = Promise.withResolvers<undefined>()
  const onAbort = (): void => resolve(undefined)
  signal.addEventListener('abort', onAbort)
  try {
    return await Promise.race([end.look(passed, wanted.passes), aborted])
  } catch (error) {
    if (error instanceof EventStoreUnavailableError) return undefined
    throw error
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** What one call brings, until it ends. */
async function* followCall(
  following: Following,
  call: Arrivals<Arrival>,
  wanted: Wanted,
  standing: Standing,
): AsyncGenerator<Recorded | CaughtUp, void, undefined> {
  const { end, signal } = following
  let isLive = false
  let quietSinceMs = performance.now()
  let lookedAtMs = Number.NEGATIVE_INFINITY

  const caughtUp = (position: Position | 'start'): CaughtUp => {
    standing.hasSaidSo = true
    standing.target = undefined
    return { kind: 'caught-up', position }
  }

  while (!signal.aborted) {
    const nowMs = performance.now()
    const mayLook = !standing.hasSaidSo && standing.target === undefined
    const isOverdue = isLive && standing.eventsUnlooked >= mostEventsUnlooked
    const arrival = mayLook && isOverdue ? undefined : call.take()
    if (arrival !== undefined) {
      standing.pauseMs = reconnectPauses.firstMs
      quietSinceMs = nowMs
      if (arrival.kind === 'live') isLive = true
      else if (arrival.kind === 'passed') {
        if (isBehind(arrival.place, standing.passed)) standing.passed = arrival.place
      } else {
        const { record } = arrival
        // Nothing comes twice, whatever a server repeats.
        if (!wanted.passes(record) || !isBehind(record.place, standing.passed)) continue
        standing.passed = record.place
        standing.hasSaidSo = false
        standing.eventsUnlooked += 1
        end.note(record.place)
        yield recordedOf(record)
      }
      const { target } = standing
      if (target !== undefined && !signal.aborted && !isBehind(target.lastWanted, standing.passed)) {
        yield caughtUp(target.end)
      }
      continue
    }
    const ended = call.ending()
    if (ended !== undefined) {
      if (ended.error !== undefined && !(ended.error instanceof EventStoreUnavailableError)) throw ended.error
      return
    }
    const lookInMs = Math.max(lookedAtMs + lookPauseMs, isLive ? 0 : quietSinceMs + quietMs) - nowMs
    if (!mayLook) await call.changed()
    else if (lookInMs > 0) {
      if (isOverdue) await later(lookInMs, signal)
      else await call.changed(lookInMs)
    } else {
      const look = await lookNow(following, standing.passed, wanted)
      lookedAtMs = performance.now()
      standing.eventsUnlooked = 0
      if (look === undefined) lookedAtMs += quietMs
      else if (look.lastWanted !== undefined) standing.target = { ...look, lastWanted: look.lastWanted }
      else if (!signal.aborted) yield caughtUp(look.end)
    }
  }
}

/** A position behind all that the log has is of another log, or of this one before an older copy of it was restored. */
const checkPosition = async ({ end }: Following, after: Position, place: Place): Promise<void> => {
  if (isBehind(place, await end.newest())) {
    throw new UnknownPositionError(`Position ${after} lies behind the end of the event store`)
  }
}

/** Without categories nothing can come but that. */
async function* followNothing({ end, signal }: Following): AsyncGenerator<CaughtUp, void, undefined> {
  const { end: position } = await end.look('start', () => true)
  if (!signal.aborted) yield { kind: 'caught-up', position }
  await new Promise<void>((resolve) => {
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/**
 * The log from behind a position on, then live, over any number of connections. Only events that arrive move it on, and
 * that it has caught up is found out by reading the log's end: what the server says about either may be missing, late or
 * repeated, and is used as a hint.
 */
export async function* follow(
  following: Following,
  after: Position | 'start',
  filter: Filter,
): AsyncGenerator<Recorded | CaughtUp, void, undefined> {
  const { engine, signal } = following
  if (signal.aborted) return
  const first: Place | 'start' = after === 'start' ? 'start' : placeOf(after)
  if (filter !== 'all' && filter.categories.length === 0) return yield* followNothing(following)
  const wanted = wantedBy(filter)
  const standing: Standing = {
    passed: first,
    hasSaidSo: false,
    target: undefined,
    eventsUnlooked: 0,
    pauseMs: reconnectPauses.firstMs,
  }
  let isChecked = after === 'start'
  while (!signal.aborted) {
    try {
      if (!isChecked && after !== 'start' && first !== 'start') await checkPosition(following, after, first)
      isChecked = true
    } catch (error) {
      if (!(error instanceof EventStoreUnavailableError)) throw error
    }
    if (isChecked) {
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
    await later(standing.pauseMs, signal)
    standing.pauseMs = Math.min(2 * standing.pauseMs, reconnectPauses.longestMs)
  }
}
