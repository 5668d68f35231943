import { wholeMs } from '../../async/timers.ts'
import type { Engine, EngineRecord } from './client.ts'
import type { LogEvent } from './log-recognition.ts'
import { isAfter, type EventStoreDbPosition } from './log-position.ts'
import { itemsOf } from './read.ts'

/** Matches `category-rest`. Excludes system streams and streams without a category. */
export const categoryStreamPattern = '^[a-zA-Z][a-zA-Z0-9]*-'
const isOfCategory = new RegExp(categoryStreamPattern)

/** EventStoreDB records a tombstone in the stream itself. It is not an event of the portal. */
export const isEvent = ({ stream, type }: EngineRecord): boolean =>
  isOfCategory.test(stream) && type !== '$streamDeleted'

/** Health checks read the newest position and must not wait long. */
const newestTimeoutMs = 2_000

/** Pause between two shared reads of the end. It grows while one read follows another, to leave the server to the appends. */
const readPauses = { firstMs: 20, maxMs: 500 } as const

export type EndOfLog = {
  /** The last event of the log. */
  readonly end: LogEvent | 'start'
  /** The last wanted event after the position of the request. */
  readonly lastWanted: EventStoreDbPosition | undefined
}

/** A subscription's request to read the end of the log. */
type EndRequest = {
  /** Called when the read starts. */
  after(): EventStoreDbPosition | 'start'
  isWanted(record: EngineRecord): boolean
  resolve(result: EndOfLog): void
  reject(error: unknown): void
}

export type LogEnd = {
  /** Records an event of the log, where the search for the end can stop. */
  observe(event: LogEvent): void
  /** The last observed event. */
  latest(): LogEvent | 'start'
  read(): Promise<EndOfLog>
  /** Requests a result of the next read, which all subscriptions share. Returns a function that cancels the request. */
  request(request: EndRequest): () => void
  /** The position of the newest record, including system records. */
  newestPosition(): Promise<EventStoreDbPosition | 'start'>
  reset(): void
}

/** The end is usually near, so the first page is small. */
const pageRecords = { first: 8, max: 512 } as const

async function* readBackwards(engine: Engine): AsyncGenerator<EngineRecord, void, undefined> {
  let before: EventStoreDbPosition | 'end' = 'end'
  for (let limit: number = pageRecords.first; ; limit = Math.min(4 * limit, pageRecords.max)) {
    const from: EventStoreDbPosition | 'end' = before
    let count = 0
    for await (const record of itemsOf(engine.readAllBackwards(from, limit), engine.timeoutMs())) {
      count += 1
      before = record.position
      yield record
    }
    const hasMoved = before !== 'end' && (from === 'end' || isAfter(from, before))
    if (count < limit || !hasMoved) return
  }
}

const positionOf = (event: LogEvent | 'start'): EventStoreDbPosition | 'start' =>
  event === 'start' ? 'start' : event.position

/**
 * Finds the last event by reading the log backwards, because EventStoreDB's own records come between and after the events. If an
 * observed event is after the newest record, the log has become shorter: calls `onShorter` with that event.
 */
export const createLogEnd = (engine: Engine, onShorter: (event: LogEvent) => void): LogEnd => {
  let latest: LogEvent | 'start' = 'start'
  const requests = new Set<EndRequest>()
  let isReading = false
  /** A caller of `read` is waiting, so the next read starts without a pause. */
  let isUrgent = false
  let timer: NodeJS.Timeout | undefined
  let lastReadMs = Number.NEGATIVE_INFINITY
  let pauseMs: number = readPauses.firstMs

  const observe = (event: LogEvent): void => {
    if (isAfter(event.position, positionOf(latest))) latest = event
  }
  const compareWithNewest = (before: LogEvent | 'start', newest: EventStoreDbPosition | 'start'): void => {
    if (before !== 'start' && isAfter(before.position, newest)) onShorter(before)
  }

  const readEnd = async (batch: readonly EndRequest[]): Promise<readonly EndOfLog[]> => {
    // Taken before the read: an event appended meanwhile may be after the records that are read.
    const before = latest
    const searches = batch.map((request) => {
      const found: { after: EventStoreDbPosition | 'start'; lastWanted?: EventStoreDbPosition } = {
        after: request.after(),
      }
      return { request, found }
    })
    let end: LogEvent | undefined
    let isFirst = true
    let isAllRead = true
    for await (const record of readBackwards(engine)) {
      const { position, id } = record
      if (isFirst) compareWithNewest(before, position)
      isFirst = false
      if (isEvent(record)) {
        end ??= { position, id }
        for (const { request, found } of searches) {
          if (isAfter(position, found.after) && request.isWanted(record)) found.lastWanted ??= position
        }
      }
      const isEndFound = end !== undefined || !isAfter(position, positionOf(before))
      if (
        isEndFound &&
        searches.every(({ found }) => found.lastWanted !== undefined || !isAfter(position, found.after))
      ) {
        isAllRead = false
        break
      }
    }
    if (isFirst) compareWithNewest(before, 'start')
    if (end !== undefined) observe(end)
    const endOrKnown = end ?? (isAllRead ? 'start' : before)
    return searches.map(({ found }) => ({ end: endOrKnown, lastWanted: found.lastWanted }))
  }

  const serveRequests = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    if (isReading || requests.size === 0) return
    isReading = true
    isUrgent = false
    const batch = [...requests]
    requests.clear()
    try {
      const results = await readEnd(batch)
      batch.forEach((request, n) => {
        const result = results[n]
        if (result !== undefined) request.resolve(result)
      })
    } catch (error) {
      for (const request of batch) request.reject(error)
    }
    const nowMs = performance.now()
    const isRepeated = nowMs - lastReadMs < 2 * readPauses.maxMs
    pauseMs = isRepeated ? Math.min(2 * pauseMs, readPauses.maxMs) : readPauses.firstMs
    lastReadMs = nowMs
    isReading = false
    schedule()
  }
  const schedule = (): void => {
    if (isReading || timer !== undefined || requests.size === 0) return
    const inMs = isUrgent ? 0 : Math.max(0, lastReadMs + pauseMs - performance.now())
    timer = setTimeout(() => void serveRequests(), wholeMs(inMs))
  }

  return {
    observe,
    latest: () => latest,
    read: () =>
      new Promise((resolve, reject) => {
        requests.add({ after: () => 'start', isWanted: () => true, resolve, reject })
        isUrgent = true
        void serveRequests()
      }),
    request: (request) => {
      requests.add(request)
      schedule()
      return () => requests.delete(request)
    },
    newestPosition: async () => {
      const before = latest
      const firstMs = Math.min(engine.timeoutMs(), newestTimeoutMs)
      for await (const { position } of itemsOf(engine.readAllBackwards('end', 1), firstMs)) {
        compareWithNewest(before, position)
        return position
      }
      compareWithNewest(before, 'start')
      return 'start'
    },
    reset: () => {
      latest = 'start'
    },
  }
}
