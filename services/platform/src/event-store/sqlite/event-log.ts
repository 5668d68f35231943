import { setImmediate as nextTurn } from 'node:timers/promises'
import { StoreClosedError, UnknownPositionError } from '../errors.ts'
import type { EventStore, Recorded } from '../port.ts'
import { follow, type Tail } from './follow.ts'
import type { LogReader } from './log-reader.ts'
import { positionOrStart, rowOf } from './position.ts'

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
    const afterRow = rowOf(after)
    if (afterRow > tail.lastRow()) {
      throw new UnknownPositionError(`Position ${after} lies behind the end of the event store`)
    }
    yield* follow(reader, tail, afterRow, filter, signal)
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
