import { setImmediate as nextTurn } from 'node:timers/promises'
import { StoreClosedError, UnknownPositionError } from '../errors.ts'
import type { CaughtUp, EventStore, Filter, RecordedEvent } from '../port.ts'
import { categoryOf } from '../stream-name.ts'
import { type LogReader, type Page, pageLimits } from './log-reader.ts'
import { madeRow, positionOrStart, rowOf } from './position.ts'

/** Where the log ends, as a subscription sees it. */
type Tail = {
  /** The row of the last committed event. */
  lastRow(): number
  /** A recent event from memory, if it is still there. */
  recent(row: number): RecordedEvent | undefined
  /** Resolves once the log is longer than `row`, the signal is aborted or the store closed. May resolve too early. */
  grown(row: number, signal: AbortSignal): Promise<void>
  isClosed(): boolean
}

const passes = (filter: Filter): ((event: RecordedEvent) => boolean) => {
  if (filter === 'all') return () => true
  const categories = new Set(filter.categories)
  return (event) => categories.has(categoryOf(event.stream))
}

/** The next page from memory, or undefined when its first event is no longer held there. */
const recentPage = (tail: Tail, afterRow: number, isWanted: (event: RecordedEvent) => boolean): Page | undefined => {
  const events: RecordedEvent[] = []
  let row = afterRow
  while (row - afterRow < pageLimits.events) {
    const event = tail.recent(row + 1)
    if (event === undefined) break
    row += 1
    if (isWanted(event)) events.push(event)
  }
  return row === afterRow ? undefined : { events, upToRow: row }
}

/**
 * The log from behind a row on, then live. The subscription looks where the log ends, delivers up to there, says so, and looks
 * again; so it also says so under appends that never pause.
 */
async function* follow(
  reader: LogReader,
  tail: Tail,
  afterRow: number,
  filter: Filter,
  signal: AbortSignal,
): AsyncGenerator<RecordedEvent | CaughtUp, void, undefined> {
  const isWanted = passes(filter)
  const isOver = (): boolean => signal.aborted || tail.isClosed()
  let row = afterRow
  let end = tail.lastRow()
  let hasSaidSo = false
  while (!isOver()) {
    if (row < end) {
      const page = recentPage(tail, row, isWanted) ?? reader.logPage(row, end, filter)
      for (const event of page.events) {
        yield event
        hasSaidSo = false
        if (isOver()) return
      }
      row = page.upToRow
      if (row < end) await nextTurn()
    } else if (hasSaidSo) {
      await tail.grown(row, signal)
      if (!isOver()) end = tail.lastRow()
    } else {
      hasSaidSo = true
      const eventId = tail.recent(row)?.id ?? reader.idAt(row)
      yield { kind: 'caught-up', position: positionOrStart(row), ...(eventId !== undefined && { eventId }) }
      if (!isOver()) end = tail.lastRow()
    }
  }
}

/** The reading half of the event store. */
export type EventLog = Omit<EventStore, 'append'>

async function* readStream(
  reader: LogReader,
  tail: Tail,
  stream: string,
  fromRevision: number,
): AsyncGenerator<RecordedEvent, void, undefined> {
  let next = fromRevision
  for (;;) {
    if (tail.isClosed()) throw new StoreClosedError()
    const { events, isLast } = reader.streamPage(stream, next)
    yield* events
    if (isLast) return
    next += events.length
    await nextTurn()
  }
}

export const eventLog = (reader: LogReader, tail: Tail): Omit<EventLog, 'close'> => ({
  read: (stream, fromRevision = 0) => readStream(reader, tail, stream, fromRevision),
  async *subscribe(after, filter, signal) {
    if (tail.isClosed()) throw new StoreClosedError()
    const position = typeof after === 'string' ? after : after.position
    const afterRow = rowOf(position)
    if (afterRow > tail.lastRow()) {
      throw new UnknownPositionError(`Position ${position} lies behind the end of the event store`)
    }
    if (typeof after !== 'string' && reader.idAt(afterRow) !== after.eventId) {
      throw new UnknownPositionError(`Another event is at position ${position} of the event store`)
    }
    yield* follow(reader, tail, afterRow, filter, signal)
  },
  holds: async ({ position, eventId }) => {
    if (tail.isClosed()) throw new StoreClosedError()
    const row = madeRow(position)
    return row !== undefined && reader.idAt(row) === eventId
  },
  end: async () => {
    if (tail.isClosed()) throw new StoreClosedError()
    return positionOrStart(tail.lastRow())
  },
  check: async () => {
    if (tail.isClosed()) throw new StoreClosedError()
    reader.lastRow()
  },
})
