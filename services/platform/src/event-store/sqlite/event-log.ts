import { setImmediate as nextTurn } from 'node:timers/promises'
import { StoreClosedError, UnknownPositionError } from '../errors.ts'
import type { CaughtUp, EventStore, Filter, RecordedEvent } from '../port.ts'
import type { LogReader } from './log-reader.ts'
import { tryParsePosition, positionOrStart, parsePosition } from './position.ts'

/** The end of the log, as a subscription sees it. */
type Tail = {
  /** The row of the last committed event. */
  lastRow(): number
  /** Resolves when the log has an event after `row`, the signal aborts or the store closes. May resolve too early. */
  waitForGrowth(row: number, signal: AbortSignal): Promise<void>
  isClosed(): boolean
}

/**
 * Delivers the log after a row, then live events. Each round reads the end of the log, delivers up to it and reports 'caught-up'.
 * So 'caught-up' also comes while appends never pause.
 */
async function* follow(
  reader: LogReader,
  tail: Tail,
  afterRow: number,
  filter: Filter,
  signal: AbortSignal,
): AsyncGenerator<RecordedEvent | CaughtUp, void, undefined> {
  const hasEnded = (): boolean => signal.aborted || tail.isClosed()
  let row = afterRow
  let end = tail.lastRow()
  let isCaughtUpReported = false
  while (!hasEnded()) {
    if (row < end) {
      const page = reader.logPage(row, end, filter)
      for (const event of page.events) {
        yield event
        isCaughtUpReported = false
        if (hasEnded()) return
      }
      row = page.upToRow
      if (row < end) await nextTurn()
    } else if (isCaughtUpReported) {
      await tail.waitForGrowth(row, signal)
      if (!hasEnded()) end = tail.lastRow()
    } else {
      isCaughtUpReported = true
      const eventId = reader.idAt(row)
      yield { kind: 'caught-up', position: positionOrStart(row), ...(eventId !== undefined && { eventId }) }
      if (!hasEnded()) end = tail.lastRow()
    }
  }
}

/** The event store without `append`. */
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

export const createEventLog = (reader: LogReader, tail: Tail): Omit<EventLog, 'close'> => ({
  read: (stream, fromRevision = 0) => readStream(reader, tail, stream, fromRevision),
  async *subscribe(after, filter, signal) {
    if (tail.isClosed()) throw new StoreClosedError()
    const position = typeof after === 'string' ? after : after.position
    const afterRow = parsePosition(position)
    if (afterRow > tail.lastRow()) {
      throw new UnknownPositionError(`Position ${position} is after the end of the event store`)
    }
    if (typeof after !== 'string' && reader.idAt(afterRow) !== after.eventId) {
      throw new UnknownPositionError(`Another event is at position ${position} of the event store`)
    }
    yield* follow(reader, tail, afterRow, filter, signal)
  },
  holds: async ({ position, eventId }) => {
    if (tail.isClosed()) throw new StoreClosedError()
    const row = tryParsePosition(position)
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
