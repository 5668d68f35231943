import { createKeyedMutex } from '../../async/keyed-mutex.ts'
import { TimeoutError, withTimeout } from '../../async/timeout.ts'
import {
  AppendOutcomeUnknownError,
  EventStoreUnavailableError,
  StoreOverloadedError,
  WriteFailedError,
} from '../errors.ts'
import type { Appended, Conflict, ExpectedRevision } from '../port.ts'
import { fits, type SerializedAppend } from '../serialize-append.ts'
import type { Engine } from './client.ts'
import type { Continuity, LogEvent } from './continuity.ts'
import { isWriteFailure } from './map-error.ts'
import { createStreamCatchUp, type KnownStreams } from './stream-cache.ts'
import { formatPosition } from './log-position.ts'
import { readRecord } from './read.ts'
import { type Attempt, appendWithRetry } from './append-with-retry.ts'

const waitingLimits = { appends: 10_000, jsonBytes: 64 * 1024 * 1024 } as const
const sentLimits = { calls: 64, bytes: 4 * 1024 * 1024 } as const
/** So many times another process may be faster before an append with 'any' gives up. */
const mostRaces = 100
/** So long a failed write counts, unless one succeeds: only a write shows whether the next one will. */
const writeFailureMs = 5_000

/**
 * Does work as soon as there is room for it among what is under way, in the order in which it comes. What is large or many is not
 * sent all at once: then everything would take longer than its deadline.
 */
const createInFlight = () => {
  let calls = 0
  let bytes = 0
  const waiting: { readonly bytes: number; readonly start: () => void }[] = []

  const hasRoom = (more: number): boolean =>
    calls === 0 || (calls < sentLimits.calls && bytes + more <= sentLimits.bytes)
  const startWaiting = (): void => {
    for (let next = waiting[0]; next !== undefined && hasRoom(next.bytes); next = waiting[0]) {
      waiting.shift()
      calls += 1
      bytes += next.bytes
      next.start()
    }
  }
  return async <T>(size: number, work: () => Promise<T>): Promise<T> => {
    await new Promise<void>((start) => {
      waiting.push({ bytes: size, start })
      startWaiting()
    })
    try {
      return await work()
    } finally {
      calls -= 1
      bytes -= size
      startWaiting()
    }
  }
}

type Appends = {
  append(stream: string, expected: ExpectedRevision, append: SerializedAppend): Promise<Appended | Conflict>
  /** Throws WriteFailedError while the server has answered lately that it could not write. */
  check(): void
  /** Resolves when no append is under way any more. */
  idle(): Promise<void>
}

type AppendsDeps = {
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
export const createAppends = ({ engine, known, continuity, onAppended }: AppendsDeps): Appends => {
  const runExclusive = createKeyedMutex()
  const inFlight = createInFlight()
  const underWay = new Set<Promise<unknown>>()
  let waitingBytes = 0
  let writeFailure: { readonly cause: unknown; readonly atMs: number } | undefined

  const { load, refresh, earlierAnswer } = createStreamCatchUp({ engine, known, continuity })

  const appendInTurn = async (
    stream: string,
    expected: ExpectedRevision,
    append: SerializedAppend,
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
          appendWithRetry(engine, stream, last, append.events, attempt),
        )
        if (answer.kind === 'written') {
          writeFailure = undefined
          append.events.forEach(({ id }, index) => state.learn(last + 1 + index, id))
          const place = answer.position ?? (await readRecord(engine, stream, answer.revision))?.position
          const id = append.events.at(-1)?.id
          if (place === undefined || id === undefined) throw new EventStoreUnavailableError()
          onAppended({ position: place, id })
          return { kind: 'appended', revision: answer.revision, position: formatPosition(place) }
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
