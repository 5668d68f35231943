import {
  type AllStreamRecordedEvent,
  BACKWARDS,
  END,
  type EventStoreDBClient,
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
import { createClient } from './create-client.ts'
import { mapError, mapErrorAtPosition } from './map-error.ts'
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

export type AppendResult =
  | { readonly kind: 'written'; readonly revision: number; readonly position: EventStoreDbPosition | undefined }
  | { readonly kind: 'wrong-revision' }
  /** The server reports a timeout, for example for a repetition of an append that is still in flight. */
  | { readonly kind: 'timed-out' }

/** 'checkpoint': all matching records up to this position have been sent. 'caught-up': all existing ones have. */
export type SubscriptionItem =
  | { readonly kind: 'record'; readonly record: EngineRecord }
  | { readonly kind: 'checkpoint'; readonly position: EventStoreDbPosition }
  | { readonly kind: 'caught-up' }

export type StreamFilter = { readonly prefixes: readonly string[] } | { readonly regex: string }

/** EventStoreDB as the adapter uses it. All users of one instance share what is known about outages. */
export type Engine = OutageRetry & {
  /** Appends all events or none, directly after revision `last` (-1 for a new stream). */
  append(stream: string, last: number, events: readonly SerializedEvent[], remainingMs: number): Promise<AppendResult>
  /** Ends at once for a stream that does not exist. */
  readStream(stream: string, from: number, limit?: number): SubscriptionBuffer<EngineRecord>
  /** The newest records of a stream, newest first. */
  readStreamBackwards(stream: string, limit: number): SubscriptionBuffer<EngineRecord>
  /** The whole log with system records, newest first, from its end or before a position. */
  readAllBackwards(from: EventStoreDbPosition | 'end', limit: number): SubscriptionBuffer<EngineRecord>
  /** The whole log with system records, from the record at a position. */
  readAllForwards(from: EventStoreDbPosition, limit: number): SubscriptionBuffer<EngineRecord>
  subscribe(after: EventStoreDbPosition | 'start', filter: StreamFilter): SubscriptionBuffer<SubscriptionItem>
  /** A tombstoned stream can never be used again. A scavenge removes its records. */
  tombstone(stream: string, remainingMs: number): Promise<void>
  close(): Promise<void>
}

const closeTimeoutMs = 5_000
/** Unit: windows of 32 records that a filtered subscription searches. */
const checkpointInterval = 32

const isKnownPosition = (position: EventStoreDbPosition | undefined): position is EventStoreDbPosition =>
  // The client reports an unknown position as the highest number.
  position !== undefined && position.prepare < 2n ** 63n

const recordOf = (event: RecordedEvent | AllStreamRecordedEvent): EngineRecord => {
  if (!isKnownPosition(event.position))
    throw new Error('This EventStoreDB reports no positions of events; use 22.6 or newer')
  const { prepare } = event.position
  return {
    stream: event.streamId,
    revision: Number(event.revision),
    id: event.id,
    type: event.type,
    data: event.data,
    metadata: event.metadata,
    at: event.created,
    // The same in a stream and in $all: an event appended over gRPC has no separate commit record.
    position: { commit: prepare, prepare },
  }
}

type ClientRead = CallStream<Resolved> & { cancel(): Promise<void> }
type Resolved = { readonly event?: RecordedEvent | AllStreamRecordedEvent }

// A record without an event is a link whose target is gone. The portal creates no links.
const resolvedRecordOf = ({ event }: Resolved): EngineRecord | undefined => event && recordOf(event)

const readCall = (read: ClientRead, mapFailure = mapError): SubscriptionBuffer<EngineRecord> => {
  const { buffer } = bufferSubscription({ stream: read, cancel: () => read.cancel() }, resolvedRecordOf)
  return {
    ...buffer,
    ending: () => {
      const ended = buffer.ending()
      if (ended?.error === undefined || ended.error instanceof StreamNotFoundError) return ended && {}
      return { error: mapFailure(ended.error) }
    },
  }
}

const isCheckpoint = (item: SubscriptionItem): boolean => item.kind === 'checkpoint'

const openSubscription = (
  client: EventStoreDBClient,
  after: EventStoreDbPosition | 'start',
  filter: StreamFilter,
): SubscriptionBuffer<SubscriptionItem> => {
  const checkpoints = {
    checkpointInterval,
    // Must not reject: the client would stop delivering.
    checkpointReached: async (_subscription: unknown, position: EventStoreDbPosition) =>
      addNote({ kind: 'checkpoint', position }, isCheckpoint),
  }
  const subscription = client.subscribeToAll({
    fromPosition: after === 'start' ? START : after,
    requiresLeader: true,
    filter:
      'regex' in filter
        ? streamNameFilter({ regex: filter.regex, ...checkpoints })
        : streamNameFilter({ prefixes: [...filter.prefixes], ...checkpoints }),
  })
  const call = { stream: subscription, cancel: () => subscription.unsubscribe() }
  const { buffer, addNote } = bufferSubscription(call, (resolved: Resolved): SubscriptionItem | undefined => {
    const record = resolvedRecordOf(resolved)
    return record && { kind: 'record', record }
  })
  subscription.on('caughtUp', () => addNote({ kind: 'caught-up' }, () => false))
  return {
    ...buffer,
    ending: () => {
      const ended = buffer.ending()
      return ended?.error === undefined ? ended : { error: mapErrorAtPosition(ended.error) }
    },
  }
}

const emptyCredentials = { username: '', password: '' }

/** Reads the credentials of the address. The client parses the rest. */
const credentialsOf = (url: string): { username: string; password: string } | undefined => {
  const [, login] = /^[^:]+:\/\/([^@/?]+)@/.exec(url) ?? []
  if (login === undefined) return undefined
  const colon = login.indexOf(':')
  const [username, password] = colon === -1 ? [login, ''] : [login.slice(0, colon), login.slice(colon + 1)]
  return { username: decodeURIComponent(username), password: decodeURIComponent(password) }
}

/**
 * The client awaits no call of its `handleError`, which rejects if the search for the leader fails meanwhile. The rejection would end the
 * process. Each caller gets the error of its own call.
 */
const catchHandlerErrors = (client: EventStoreDBClient): EventStoreDBClient => {
  const handleError: unknown = Reflect.get(client, 'handleError')
  if (typeof handleError !== 'function') throw new Error('The client of EventStoreDB has no handleError')
  const handle = async (...given: readonly unknown[]): Promise<void> => {
    try {
      await handleError(...given)
    } catch {
      // The next call searches for the leader again.
    }
  }
  Reflect.set(client, 'handleError', handle)
  return client
}

/** The client pings the connection every 10 s, and by default waits as long again for the answer of a connection that is silent. */
const withPingTimeout = (url: string): string => {
  if (/[?&]keepAliveTimeout=/i.test(url)) return url
  return `${url}${url.includes('?') ? '&' : '?'}keepAliveTimeout=2500`
}

export const connectTo = (url: string): Engine => {
  const client = catchHandlerErrors(createClient(withPingTimeout(url)))
  // With credentials, each append is a call of its own. Without them the client sends all appends over one long call. When that
  // call ends, it rejects the appends of all clients in the process, and a late answer throws where it cannot be caught.
  const isInsecure = /[?&]tls=false/i.test(url)
  const credentials = credentialsOf(url) ?? (isInsecure ? emptyCredentials : undefined)
  const perCall = { ...(credentials && { credentials }), requiresLeader: true }

  return {
    append: async (stream, last, events, remainingMs) => {
      const recorded = events.map(({ id, type, data, metadata }) =>
        // Parsing the checked JSON text makes a copy that no caller can change.
        jsonEvent({ id, type, data: JSON.parse(data), ...(metadata !== null && { metadata: JSON.parse(metadata) }) }),
      )
      const expectedRevision = last === -1 ? NO_STREAM : BigInt(last)
      try {
        const appending = client.appendToStream(stream, recorded, {
          expectedRevision,
          ...perCall,
          deadline: remainingMs,
        })
        // The call's own deadline starts only after a host has been found.
        const answer = await withTimeout(appending, remainingMs, 'An append')
        const position = isKnownPosition(answer.position) ? answer.position : undefined
        return { kind: 'written', revision: Number(answer.nextExpectedRevision), position }
      } catch (error) {
        if (error instanceof WrongExpectedVersionError) return { kind: 'wrong-revision' }
        if (error instanceof StoreTimeoutError) return { kind: 'timed-out' }
        throw mapError(error)
      }
    },
    readStream: (stream, from, limit) =>
      readCall(
        client.readStream(stream, {
          fromRevision: BigInt(from),
          requiresLeader: true,
          ...(limit !== undefined && { maxCount: limit }),
        }),
      ),
    readStreamBackwards: (stream, limit) =>
      readCall(
        client.readStream(stream, { direction: BACKWARDS, fromRevision: END, maxCount: limit, requiresLeader: true }),
      ),
    readAllBackwards: (from, limit) =>
      readCall(
        client.readAll({
          direction: BACKWARDS,
          fromPosition: from === 'end' ? END : from,
          maxCount: limit,
          requiresLeader: true,
        }),
        from === 'end' ? mapError : mapErrorAtPosition,
      ),
    readAllForwards: (from, limit) =>
      readCall(
        client.readAll({ direction: FORWARDS, fromPosition: from, maxCount: limit, requiresLeader: true }),
        mapErrorAtPosition,
      ),
    subscribe: (after, filter) => openSubscription(client, after, filter),
    tombstone: async (stream, remainingMs) => {
      try {
        const tombstoning = client.tombstoneStream(stream, { requiresLeader: true, deadline: remainingMs })
        await withTimeout(tombstoning, remainingMs, 'Tombstoning a stream')
      } catch (error) {
        throw mapError(error)
      }
    },
    ...createOutageRetry(),
    close: async () => {
      try {
        await withTimeout(client.dispose(), closeTimeoutMs, 'Closing')
      } catch (error) {
        // Open connections end with the process.
        if (!(error instanceof TimeoutError)) throw error
      }
    },
  }
}
