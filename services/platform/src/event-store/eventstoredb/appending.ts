import { createKeyedMutex } from '../../async/keyed-mutex.ts'
import { TimeoutError, withTimeout } from '../../async/timeout.ts'
import {
  AppendOutcomeUnknownError,
  EventIdReusedError,
  EventStoreUnavailableError,
  StoreOverloadedError,
  WriteFailedError,
} from '../errors.ts'
import type { Appended, Conflict, ExpectedRevision } from '../port.ts'
import type { SerialisedAppend } from '../serialise-append.ts'
import type { Engine } from './client.ts'
import type { Continuity, LogEvent } from './continuity.ts'
import { isWriteFailure } from './failures.ts'
import { createInFlight } from './in-flight.ts'
import type { KnownStream, KnownStreams } from './known-streams.ts'
import { positionOf } from './place.ts'
import { newestOf, recordOfStream, recordsOf } from './reading.ts'
import { type Attempt, settledAppend } from './settled-append.ts'

const waitingLimits = { appends: 10_000, jsonBytes: 64 * 1024 * 1024 } as const
const sentLimits = { calls: 64, bytes: 4 * 1024 * 1024 } as const
/** So many times another process may be faster before an append with 'any' gives up. */
const mostRaces = 100
/** So long a failed write counts, unless one succeeds: only a write shows whether the next one will. */
const writeFailureMs = 5_000
/** So many records of a stream are read at most, however long it is. */
const mostRead = 1_000

const fits = (expected: ExpectedRevision, last: number): boolean =>
  expected === 'any' || (expected === 'no-stream' ? last === -1 : expected === last)

export type Appending = {
  append(stream: string, expected: ExpectedRevision, append: SerialisedAppend): Promise<Appended | Conflict>
  /** Throws WriteFailedError while the server has answered lately that it could not write. */
  check(): void
  /** Resolves when no append is under way any more. */
  idle(): Promise<void>
}

export type AppendingParts = {
  readonly engine: Engine
  readonly known: KnownStreams
  readonly continuity: Continuity
  onAppended(event: LogEvent): void
}

/**
 * Every append goes to EventStoreDB with the exact revision it was judged at, 'any' too: so a repetition after an unknown outcome
 * can never be recorded twice, and whoever comes second is refused. What EventStoreDB does not look at, the ids that
 * the stream has already, is known here: of each stream in use the newest ids are kept, and what others have appended since is
 * read when a refusal tells of it.
 */
export const appending = ({ engine, known, continuity, onAppended }: AppendingParts): Appending => {
  const runExclusive = createKeyedMutex()
  const inFlight = createInFlight(sentLimits)
  const underWay = new Set<Promise<unknown>>()
  let waitingBytes = 0
  let writeFailure: { readonly cause: unknown; readonly atMs: number } | undefined

  const load = async (stream: string): Promise<KnownStream> =>
    known.begin(stream, await newestOf(engine, stream, mostRead))

  /** Reads the events behind the last known one; undefined when the stream no longer has that one. */
  const readOn = async (stream: string, state: KnownStream): Promise<KnownStream | undefined> => {
    let count = 0
    for await (const { revision, id } of recordsOf(engine, stream, state.last)) {
      if (count === 0 && id !== state.lastId) return undefined
      if (count > mostRead) return load(stream)
      state.learn(revision, id)
      count += 1
    }
    return count === 0 ? undefined : state
  }

  const refresh = async (stream: string, state: KnownStream): Promise<KnownStream> => {
    if (state.last === -1) return load(stream)
    let read: KnownStream | undefined
    const what = `revision ${state.last} of ${stream} is missing from the log`
    const look = async (): Promise<boolean> => (read = await readOn(stream, state)) !== undefined
    await continuity.isMissing(what, look)
    return read ?? load(stream)
  }

  /**
   * The answer of the first time, when the stream has all ids; an error when it has some; undefined when it has none. 'gone' when it
   * had them.
   */
  const earlierAnswer = async (
    stream: string,
    state: KnownStream,
    { events }: SerialisedAppend,
    attempt: Attempt,
  ): Promise<Appended | 'gone' | undefined> => {
    const found = events.flatMap(({ id }) => {
      const revision = state.revisionOf(id)
      return revision === undefined ? [] : [{ id, revision }]
    })
    const last = found.toSorted((a, b) => b.revision - a.revision)[0]
    if (last === undefined) return undefined
    if (found.length < events.length) {
      throw new EventIdReusedError(`Some of the events of an append to ${stream} are recorded and some are not`)
    }
    // It is on record, so no failure to read it may look as if it were not.
    attempt.mayBeRecorded = true
    const record = await recordOfStream(engine, stream, last.revision)
    if (record?.id !== last.id) {
      attempt.mayBeRecorded = false
      return 'gone'
    }
    return { kind: 'appended', revision: last.revision, position: positionOf(record.place) }
  }

  const appendInTurn = async (
    stream: string,
    expected: ExpectedRevision,
    append: SerialisedAppend,
    attempt: Attempt,
    givenUp: AbortSignal,
  ): Promise<Appended | Conflict> => {
    // Of a stream that is to be new nothing has to be read: if it is not, EventStoreDB says so.
    let state = known.get(stream) ?? (expected === 'no-stream' ? known.begin(stream) : await load(stream))
    let isUpToDate = false
    for (let races = 0; races < mostRaces && !givenUp.aborted; races++) {
      const earlier = await earlierAnswer(stream, state, append, attempt)
      if (earlier !== undefined && earlier !== 'gone') return earlier
      const { last } = state
      if (earlier === undefined && fits(expected, last)) {
        const answer = await inFlight(append.jsonBytes, () =>
          settledAppend(engine, stream, last, append.events, attempt),
        )
        if (answer.kind === 'written') {
          writeFailure = undefined
          append.events.forEach(({ id }, index) => state.learn(last + 1 + index, id))
          const place = answer.place ?? (await recordOfStream(engine, stream, answer.revision))?.place
          const id = append.events.at(-1)?.id
          if (place === undefined || id === undefined) throw new EventStoreUnavailableError()
          onAppended({ place, id })
          return { kind: 'appended', revision: answer.revision, position: positionOf(place) }
        }
      } else if (earlier === undefined && isUpToDate) {
        return { kind: 'conflict', actualRevision: last === -1 ? 'no-stream' : last }
      }
      const read = await refresh(stream, state)
      state = earlier === 'gone' && read === state ? await load(stream) : read
      isUpToDate = true
    }
    throw new EventStoreUnavailableError()
  }

  /** Also those are given up that wait for their turn: each before them may use up its time. */
  const unlessSilent = async <T>(work: Promise<T>): Promise<T> => {
    const startedMs = performance.now()
    for (;;) {
      const leftMs = Math.max(startedMs, engine.answeredMs()) + engine.limitMs() - performance.now()
      if (leftMs <= 0) throw new EventStoreUnavailableError()
      try {
        return await withTimeout(work, leftMs, 'An append')
      } catch (error) {
        if (!(error instanceof TimeoutError)) throw error
      }
    }
  }

  return {
    append: async (stream, expected, append) => {
      if (underWay.size >= waitingLimits.appends || waitingBytes + append.jsonBytes > waitingLimits.jsonBytes) {
        throw new StoreOverloadedError()
      }
      const givenUp = new AbortController()
      const attempt: Attempt = { mayBeRecorded: false }
      const work = runExclusive(stream, () => appendInTurn(stream, expected, append, attempt, givenUp.signal))
      underWay.add(work)
      waitingBytes += append.jsonBytes
      const done = (): void => {
        underWay.delete(work)
        waitingBytes -= append.jsonBytes
      }
      void work.then(done, done)
      try {
        return await unlessSilent(work)
      } catch (error) {
        if (isWriteFailure(error)) writeFailure = { cause: error.cause, atMs: performance.now() }
        const isUnknown = error instanceof EventStoreUnavailableError && attempt.mayBeRecorded
        throw isUnknown ? new AppendOutcomeUnknownError(error.cause) : error
      } finally {
        givenUp.abort()
      }
    },
    check: () => {
      if (writeFailure && performance.now() - writeFailure.atMs < writeFailureMs)
        throw new WriteFailedError(writeFailure.cause)
    },
    idle: async () => {
      await Promise.allSettled(underWay)
    },
  }
}
