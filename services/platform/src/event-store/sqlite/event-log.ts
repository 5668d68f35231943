import { setImmediate as nextTurn } from 'node:timers/promises'
import { StoreClosedError, UnknownPositionError } from '../errors.ts'
import type { EventStore, Recorded } from '../port.ts'
import { follow, type Tail } from './follow.ts'
import type { LogReader } from './log-reader.ts'
import { madeRow, positionOrStart, rowOf } from './position.ts'

/** The reading half of the event store. */
export type EventLog = Omit<EventStore, 'append'>

async function* readStream(
  reader: LogReader,
  tail: Tail,
  stream: string,
  fromRevision: number,
): AsyncGenerator<Recorded, void, undefined> {
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
