import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import type { ServerWritableStream } from '@grpc/grpc-js'
import { checkpointMessage, eventMessage, identifierOf, streamNameOf } from './messages.ts'
import type { LogRecord } from './record-log.ts'
import { serverError } from './server-errors.ts'
import type { StoredStreams } from './stored-streams.ts'

type ReadCall = ServerWritableStream<streams.ReadReq, streams.ReadResp>
type Options = streams.ReadReq.Options

/** Counts reads, for tests. */
export type ReadCounts = { readsOfEnd: number; recordsOfStreams: number }

const pageRecords = 256
/** EventStoreDB sends a checkpoint after searching this many records, times the client's checkpoint interval. */
const searchWindow = 32
const { BACKWARDS } = streams.ReadReq.Options.ReadDirection

/** Returns a function that writes messages and waits when the reader is slow. */
const createWriter = (call: ReadCall, signal: AbortSignal) => async (message: streams.ReadResp) => {
  if (!call.write(message)) await once(call, 'drain', { signal }).catch(() => undefined)
}

const filterOf = (options: Options): ((record: LogRecord) => boolean) => {
  const filter = options.getFilter()
  if (filter === undefined) return () => true
  const [expression, field] = filter.hasEventType()
    ? [filter.getEventType(), 'type' as const]
    : [filter.getStreamIdentifier(), 'stream' as const]
  const prefixes = expression?.getPrefixList() ?? []
  if (prefixes.length > 0) return (record) => prefixes.some((prefix) => record[field].startsWith(prefix))
  const regex = new RegExp(expression?.getRegex() ?? '')
  return (record) => regex.test(record[field])
}

/** The first position of a read of $all: inclusive if forwards, exclusive if backwards. */
const startInAll = (options: Options, newest: number): number => {
  const all = options.getAll()
  if (all?.hasPosition() === true) return Number(all.getPosition()?.getCommitPosition())
  return all?.hasEnd() === true ? newest : 0
}

/** Rejects the call if it starts inside a record, because no record of this log begins or ends there. */
const rejectsPosition = ({ log }: StoredStreams, call: ReadCall, options: Options): boolean => {
  if (options.getAll()?.hasPosition() !== true || !log.isInsideRecord(startInAll(options, 0))) return false
  const isFiltered = options.hasFilter()
  call.emit('error', serverError(isFiltered ? 'invalidFilteredPosition' : 'invalidPosition'))
  return true
}

async function* pagesOf(next: (last: LogRecord | undefined) => LogRecord[]): AsyncGenerator<LogRecord> {
  let last: LogRecord | undefined
  for (;;) {
    const page = next(last)
    if (page.length === 0) return
    yield* page
    last = page.at(-1)
    await nextTurn()
  }
}

const recordsOf = (stored: StoredStreams, options: Options): AsyncGenerator<LogRecord> => {
  const { log } = stored
  const isBackwards = options.getReadDirection() === BACKWARDS
  const inStream = options.getStream()
  if (inStream === undefined) {
    const start = startInAll(options, Number.MAX_SAFE_INTEGER)
    return pagesOf((last) =>
      isBackwards
        ? log.backwards(last?.position ?? start, pageRecords)
        : log.forwards(last === undefined ? start : last.position + 1, pageRecords),
    )
  }
  const name = streamNameOf(inStream.getStreamIdentifier())
  const { last: lastRevision, startsAt } = log.streamState(name)
  const start = inStream.hasRevision() ? Number(inStream.getRevision()) : inStream.hasEnd() ? lastRevision : 0
  const records = pagesOf((last) =>
    isBackwards
      ? log
          .streamBackwards(name, last === undefined ? start : (last.revision ?? 0) - 1, pageRecords)
          .filter(({ revision }) => (revision ?? 0) >= startsAt)
      : log.streamForwards(
          name,
          Math.max(startsAt, last === undefined ? start : (last.revision ?? 0) + 1),
          pageRecords,
        ),
  )
  return records
}

const read = async (
  stored: StoredStreams,
  call: ReadCall,
  options: Options,
  signal: AbortSignal,
  counts: ReadCounts,
): Promise<void> => {
  const write = createWriter(call, signal)
  const isWanted = filterOf(options)
  const inStream = options.getStream()
  if (inStream !== undefined) {
    const name = streamNameOf(inStream.getStreamIdentifier())
    const state = stored.log.streamState(name)
    if (state.isTombstoned) {
      call.emit('error', serverError('streamDeleted', { 'stream-name': name }))
      return
    }
    if (state.last < state.startsAt) {
      const notFound = new streams.ReadResp.StreamNotFound().setStreamIdentifier(identifierOf(name))
      await write(new streams.ReadResp().setStreamNotFound(notFound))
      call.end()
      return
    }
  }
  if (options.getAll()?.hasEnd() === true) counts.readsOfEnd += 1
  let left = Number(options.getCount())
  for await (const record of recordsOf(stored, options)) {
    if (left <= 0 || signal.aborted) break
    if (!isWanted(record)) continue
    await write(eventMessage(record))
    if (inStream !== undefined) counts.recordsOfStreams += 1
    left -= 1
  }
  if (!signal.aborted) call.end()
}

/** A subscription to $all. The portal does not subscribe to single streams. */
const subscribe = async (
  stored: StoredStreams,
  call: ReadCall,
  options: Options,
  signal: AbortSignal,
): Promise<void> => {
  const write = createWriter(call, signal)
  const isWanted = filterOf(options)
  const filter = options.getFilter()
  const interval = searchWindow * Math.max(1, filter?.getCheckpointintervalmultiplier() ?? 1)
  const confirmation = new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId(randomUUID())
  await write(new streams.ReadResp().setConfirmation(confirmation))

  const newest = (): number => stored.log.backwards(Number.MAX_SAFE_INTEGER, 1)[0]?.position ?? -1
  let searched = 0
  let isLive = false
  let next = startInAll(options, newest()) + (options.getAll()?.hasStart() === true ? 0 : 1)
  while (!signal.aborted) {
    const page = stored.log.forwards(next, pageRecords)
    for (const record of page) {
      if (isWanted(record)) await write(eventMessage(record))
      if (signal.aborted) return
      next = record.position + 1
      searched += 1
      if (filter !== undefined && searched % interval === 0) await write(checkpointMessage(record.position))
    }
    if (page.length > 0) {
      await nextTurn()
      continue
    }
    if (!isLive) await write(new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp()))
    isLive = true
    if (stored.log.forwards(next, 1).length === 0) await stored.waitForGrowth(signal)
  }
}

export const answerRead = async (
  stored: StoredStreams,
  call: ReadCall,
  signal: AbortSignal,
  counts: ReadCounts,
): Promise<void> => {
  const options = call.request.getOptions() ?? new streams.ReadReq.Options()
  if (rejectsPosition(stored, call, options)) return
  if (options.hasSubscription()) await subscribe(stored, call, options, signal)
  else await read(stored, call, options, signal, counts)
}
