import {
  type AllStreamRecordedEvent,
  BACKWARDS,
  END,
  EventStoreDBClient,
  FORWARDS,
  jsonEvent,
  NO_STREAM,
  type RecordedEvent,
  START,
  StreamNotFoundError,
  streamNameFilter,
  TimeoutError as StoreTimeoutError,
  WrongExpectedVersionError,
} from '@eventstore/db-client'
import { TimeoutError, withTimeout } from '../../async/timeout.ts'
import type { SerializedEvent } from '../serialize-append.ts'
import { mapError } from './map-error.ts'
import type { EventStoreDbPosition } from './log-position.ts'
import { createOutageRetry, type OutageRetry } from './retry-short-outages.ts'
import { type SubscriptionBuffer, bufferSubscription, type CallStream } from './subscription-buffer.ts'

export type EngineRecord = {
  readonly stream: string
  readonly revision: number
  readonly id: string
  readonly type: string
  readonly data: unknown
  readonly metadata: unknown
  readonly at: Date
  readonly position: EventStoreDbPosition
}

export type EngineAnswer =
  | { readonly kind: 'written'; readonly revision: number; readonly position: EventStoreDbPosition | undefined }
  | { readonly kind: 'wrong-revision' }
  /** The server gave up waiting for it. It does so with a repetition of an append that is still on its way. */
  | { readonly kind: 'unsettled' }

/** 'passed': all that the filter lets through up to there has come. 'live': so has all that existed. */
export type Arrival =
  | { readonly kind: 'record'; readonly record: EngineRecord }
  | { readonly kind: 'passed'; readonly position: EventStoreDbPosition }
  | { readonly kind: 'live' }

export type StreamFilter = { readonly prefixes: readonly string[] } | { readonly regex: string }

/** Those who use an engine share one patience. */
export type Engine = OutageRetry & {
  /** All or none, directly behind revision `last` (-1: the stream has none). */
  append(stream: string, last: number, events: readonly SerializedEvent[], leftMs: number): Promise<EngineAnswer>
  /** Ends at once for a stream that does not exist. */
  readStream(stream: string, from: number, limit?: number): SubscriptionBuffer<EngineRecord>
  /** The newest records of a stream, newest first. */
  readStreamBackwards(stream: string, limit: number): SubscriptionBuffer<EngineRecord>
  /** The whole log, system records included, newest first; from its end, or from before a place. */
  readAllBackwards(from: EventStoreDbPosition | 'end', limit: number): SubscriptionBuffer<EngineRecord>
  /** The whole log, system records included, from the record at a place on. */
  readAllForwards(from: EventStoreDbPosition, limit: number): SubscriptionBuffer<EngineRecord>
  subscribe(after: EventStoreDbPosition | 'start', filter: StreamFilter): SubscriptionBuffer<Arrival>
  /** Ends a stream for good; its records go when the database is scavenged. */
  tombstone(stream: string, leftMs: number): Promise<void>
  close(): Promise<void>
}

const closeTimeoutMs = 5_000
/** A checkpoint every so many windows of 32 records that a filtered subscription searches. */
const checkpointInterval = 32

const isPosition = (place: EventStoreDbPosition | undefined): place is EventStoreDbPosition =>
  // What has no position bears the highest there is.
  place !== undefined && place.prepare < 2n ** 63n

const recordOf = (event: RecordedEvent | AllStreamRecordedEvent): EngineRecord => {
  if (!isPosition(event.position)) throw new Error('This EventStoreDB does not say where events lie; use 22.6 or newer')
  const { prepare } = event.position
  return {
    stream: event.streamId,
    revision: Number(event.revision),
    id: event.id,
    type: event.type,
    data: event.data,
    metadata: event.metadata,
    at: event.created,
    // The same in a stream as in $all: an event appended over gRPC has no commit record elsewhere.
    position: { commit: prepare, prepare },
  }
}

type ClientRead = CallStream<Resolved> & { cancel(): Promise<void> }
type Resolved = { readonly event?: RecordedEvent | AllStreamRecordedEvent }

// A record without an event is a link whose target has gone; the portal makes no links.
const resolvedRecord = ({ event }: Resolved): EngineRecord | undefined => event && recordOf(event)

const readingOf = (read: ClientRead): SubscriptionBuffer<EngineRecord> => {
  const { arrivals } = bufferSubscription({ stream: read, cancel: () => read.cancel() }, resolvedRecord)
  return {
    ...arrivals,
    ending: () => {
      const ended = arrivals.ending()
      if (ended?.error === undefined || ended.error instanceof StreamNotFoundError) return ended && {}
      return { error: mapError(ended.error) }
    },
  }
}

const isPassed = (arrival: Arrival): boolean => arrival.kind === 'passed'

const subscriptionOf = (
  client: EventStoreDBClient,
  after: EventStoreDbPosition | 'start',
  filter: StreamFilter,
): SubscriptionBuffer<Arrival> => {
  const hints = {
    checkpointInterval,
    // Must not reject: the client would stand still for good.
    checkpointReached: async (_subscription: unknown, place: EventStoreDbPosition) =>
      note({ kind: 'passed', position: place }, isPassed),
  }
  const subscription = client.subscribeToAll({
    fromPosition: after === 'start' ? START : after,
    requiresLeader: true,
    filter:
      'regex' in filter
        ? streamNameFilter({ regex: filter.regex, ...hints })
        : streamNameFilter({ prefixes: [...filter.prefixes], ...hints }),
  })
  const call = { stream: subscription, cancel: () => subscription.unsubscribe() }
  const { arrivals, note } = bufferSubscription(call, (resolved: Resolved): Arrival | undefined => {
    const record = resolvedRecord(resolved)
    return record && { kind: 'record', record }
  })
  subscription.on('caughtUp', () => note({ kind: 'live' }, () => false))
  return {
    ...arrivals,
    ending: () => {
      const ended = arrivals.ending()
      return ended?.error === undefined ? ended : { error: mapError(ended.error) }
    },
  }
}

const emptyLogin = { username: '', password: '' }

/** Of the address only the login; the client reads the rest itself. */
const loginOf = (url: string): { username: string; password: string } | undefined => {
  const [, login] = /^[^:]+:\/\/([^@/?]+)@/.exec(url) ?? []
  if (login === undefined) return undefined
  const colon = login.indexOf(':')
  const [username, password] = colon === -1 ? [login, ''] : [login.slice(0, colon), login.slice(colon + 1)]
  return { username: decodeURIComponent(username), password: decodeURIComponent(password) }
}

export const connectTo = (url: string): Engine => {
  const client = EventStoreDBClient.connectionString(url)
  // Naming credentials for an append makes it a call of its own. Without them the client sends all appends down one long call,
  // whose end rejects those of every client of the process and lets a late answer throw where nobody can catch it.
  const isInsecure = /[?&]tls=false/i.test(url)
  const login = loginOf(url) ?? (isInsecure ? emptyLogin : undefined)
  const perCall = { ...(login && { credentials: login }), requiresLeader: true }

  return {
    append: async (stream, last, events, leftMs) => {
      const recorded = events.map(({ id, type, data, metadata }) =>
        // The text was checked to be JSON of an object; parsing it gives data of our own, which no caller can change.
        jsonEvent({ id, type, data: JSON.parse(data), ...(metadata !== null && { metadata: JSON.parse(metadata) }) }),
      )
      const expectedRevision = last === -1 ? NO_STREAM : BigInt(last)
      try {
        const appending = client.appendToStream(stream, recorded, { expectedRevision, ...perCall, deadline: leftMs })
        // A call's own deadline begins only when a host has been found.
        const answer = await withTimeout(appending, leftMs, 'An append')
        const place = isPosition(answer.position) ? answer.position : undefined
        return { kind: 'written', revision: Number(answer.nextExpectedRevision), position: place }
      } catch (error) {
        if (error instanceof WrongExpectedVersionError) return { kind: 'wrong-revision' }
        if (error instanceof StoreTimeoutError) return { kind: 'unsettled' }
        throw mapError(error)
      }
    },
    readStream: (stream, from, limit) =>
      readingOf(
        client.readStream(stream, {
          fromRevision: BigInt(from),
          requiresLeader: true,
          ...(limit !== undefined && { maxCount: limit }),
        }),
      ),
    readStreamBackwards: (stream, limit) =>
      readingOf(
        client.readStream(stream, { direction: BACKWARDS, fromRevision: END, maxCount: limit, requiresLeader: true }),
      ),
    readAllBackwards: (from, limit) =>
      readingOf(
        client.readAll({
          direction: BACKWARDS,
          fromPosition: from === 'end' ? END : from,
          maxCount: limit,
          requiresLeader: true,
        }),
      ),
    readAllForwards: (from, limit) =>
      readingOf(client.readAll({ direction: FORWARDS, fromPosition: from, maxCount: limit, requiresLeader: true })),
    subscribe: (after, filter) => subscriptionOf(client, after, filter),
    tombstone: async (stream, leftMs) => {
      try {
        const ending = client.tombstoneStream(stream, { requiresLeader: true, deadline: leftMs })
        await withTimeout(ending, leftMs, 'Ending a stream')
      } catch (error) {
        throw mapError(error)
      }
    },
    ...createOutageRetry(),
    close: async () => {
      try {
        await withTimeout(client.dispose(), closeTimeoutMs, 'Closing')
      } catch (error) {
        // What is still open ends with the process.
        if (!(error instanceof TimeoutError)) throw error
      }
    },
  }
}
