import { createKeyedMutex } from '../../async/keyed-mutex.ts'
import { TimeoutError, withTimeout } from '../../async/timeout.ts'
import { isTransient } from '../../errors/error-kinds.ts'
import {
  AppendOutcomeUnknownError,
  EventStoreUnavailableError,
  StoreOverloadedError,
  WriteFailedError,
} from '../errors.ts'
import type { Appended, Conflict, ExpectedRevision } from '../port.ts'
import { matchesExpectedRevision, type SerializedAppend } from '../serialize-append.ts'
import type { Engine } from './client.ts'
import type { LogRecognition, LogEvent } from './log-recognition.ts'
import { isWriteFailure } from './map-error.ts'
import { createStreamCatchUp, type StreamCache } from './stream-cache.ts'
import { formatPosition } from './log-position.ts'
import { readRecord } from './read.ts'
import { type AppendAttempt, appendWithRetry } from './append-with-retry.ts'

const pendingLimits = { appends: 10_000, jsonBytes: 64 * 1024 * 1024 } as const
const inFlightLimits = { calls: 64, bytes: 4 * 1024 * 1024 } as const
/** After losing to this many appends of other processes, an append with 'any' fails. */
const maxRaces = 100
/** How long `check` rejects after a failed write, unless a later one succeeds. Only a write shows whether writing works. */
const writeFailureMs = 5_000

/**
 * Runs work in order, within the limits of calls and bytes in flight. Without them, a burst of appends would make all of them
 * exceed their deadlines.
 */
const createInFlightLimiter = () => {
  let calls = 0
  let bytes = 0
  const waiting: { readonly bytes: number; readonly start: () => void }[] = []

  const hasRoom = (more: number): boolean =>
    calls === 0 || (calls < inFlightLimits.calls && bytes + more <= inFlightLimits.bytes)
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

type Appender = {
  append(stream: string, expected: ExpectedRevision, append: SerializedAppend): Promise<Appended | Conflict>
  /** Throws WriteFailedError if the server has recently failed to write. */
  check(): void
  /** Resolves when no append is pending. */
  drained(): Promise<void>
}

type AppenderDeps = {
  readonly engine: Engine
  readonly cache: StreamCache
  readonly recognition: LogRecognition
  onAppended(event: LogEvent): void
}

/**
 * Sends every append with an exact expected revision, even for 'any'. So a retry after an unknown outcome cannot be recorded
 * twice, and the slower of two processes gets a conflict.
 *
 * EventStoreDB does not check whether the stream already has the event ids. So the cache keeps the newest ids of each stream in
 * use, and after a conflict it reads what other processes have appended.
 */
export const createAppender = ({ engine, cache, recognition, onAppended }: AppenderDeps): Appender => {
  const runExclusive = createKeyedMutex()
  const withinLimits = createInFlightLimiter()
  const pending = new Set<Promise<unknown>>()
  let pendingBytes = 0
  let writeFailure: { readonly cause: unknown; readonly atMs: number } | undefined

  /** Another server may answer each attempt after the first. */
  const verifiedEngine: Engine = {
    ...engine,
    append: async (...given) => {
      await recognition.requireWritable()
      try {
        return await engine.append(...given)
      } catch (error) {
        if (error instanceof EventStoreUnavailableError) recognition.connectionLost()
        throw error
      }
    },
  }

  const { load, refresh, findEarlierAppend } = createStreamCatchUp({ engine, cache, recognition })

  const appendExclusively = async (
    stream: string,
    expected: ExpectedRevision,
    append: SerializedAppend,
    attempt: AppendAttempt,
    abandoned: AbortSignal,
  ): Promise<Appended | Conflict> => {
    // A stream that should be new need not be read: if it exists, EventStoreDB reports a conflict.
    let cached = cache.get(stream) ?? (expected === 'no-stream' ? cache.replace(stream) : await load(stream))
    let isUpToDate = false
    for (let races = 0; races < maxRaces && !abandoned.aborted; races++) {
      const earlier = await findEarlierAppend(stream, cached, append, attempt)
      if (earlier !== undefined && earlier !== 'missing') return earlier
      const { last } = cached
      if (earlier === undefined && matchesExpectedRevision(expected, last)) {
        const answer = await withinLimits(append.jsonBytes, () =>
          appendWithRetry(verifiedEngine, stream, last, append.events, attempt),
        )
        if (answer.kind === 'written') {
          writeFailure = undefined
          append.events.forEach(({ id }, index) => cached.add(last + 1 + index, id))
          const position = answer.position ?? (await readRecord(engine, stream, answer.revision))?.position
          const id = append.events.at(-1)?.id
          if (position === undefined || id === undefined) throw new EventStoreUnavailableError()
          onAppended({ position, id })
          return { kind: 'appended', revision: answer.revision, position: formatPosition(position) }
        }
      } else if (earlier === undefined && isUpToDate) {
        return { kind: 'conflict', actualRevision: last === -1 ? 'no-stream' : last }
      }
      const read = await refresh(stream, cached)
      cached = earlier === 'missing' && read === cached ? await load(stream) : read
      isUpToDate = true
    }
    throw new EventStoreUnavailableError()
  }

  /** Fails when the server has not answered any call for the timeout. Covers appends that wait for earlier ones of their stream. */
  const withSilenceTimeout = async <T>(work: Promise<T>): Promise<T> => {
    const startedMs = performance.now()
    for (;;) {
      const remainingMs = Math.max(startedMs, engine.lastAnswerMs()) + engine.timeoutMs() - performance.now()
      if (remainingMs <= 0) throw new EventStoreUnavailableError()
      try {
        return await withTimeout(work, remainingMs, 'An append')
      } catch (error) {
        if (!(error instanceof TimeoutError)) throw error
      }
    }
  }

  return {
    append: async (stream, expected, append) => {
      if (pending.size >= pendingLimits.appends || pendingBytes + append.jsonBytes > pendingLimits.jsonBytes) {
        throw new StoreOverloadedError()
      }
      const abandoned = new AbortController()
      const attempt: AppendAttempt = { mayBeRecorded: false }
      const work = runExclusive(stream, () => appendExclusively(stream, expected, append, attempt, abandoned.signal))
      pending.add(work)
      pendingBytes += append.jsonBytes
      const done = (): void => {
        pending.delete(work)
        pendingBytes -= append.jsonBytes
      }
      void work.then(done, done)
      try {
        return await withSilenceTimeout(work)
      } catch (error) {
        if (isWriteFailure(error)) writeFailure = { cause: error.cause, atMs: performance.now() }
        throw isTransient(error) && attempt.mayBeRecorded ? new AppendOutcomeUnknownError(error.cause) : error
      } finally {
        abandoned.abort()
      }
    },
    check: () => {
      if (writeFailure && performance.now() - writeFailure.atMs < writeFailureMs)
        throw new WriteFailedError(writeFailure.cause)
    },
    drained: async () => {
      await Promise.allSettled(pending)
    },
  }
}
