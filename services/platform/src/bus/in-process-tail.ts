import { createBackoff, retryUntilAborted } from '../async/backoff.ts'
import { createRunningState } from '../async/running-state.ts'
import type { CaughtUp, Position, RecordedEvent } from '../event-store/port.ts'
import { type LogPosition, positionOf } from './log-cursor.ts'

/** A consumer that is further behind reads the log by itself. */
const maxEvents = 256

type LogItem = RecordedEvent | CaughtUp

type TailSource = {
  subscribe(after: LogPosition, signal: AbortSignal): AsyncIterable<LogItem>
  end(): Promise<Position | 'start'>
}

/** The newest events of the log, read once for all consumers that keep up. Most of a consumer's work would be its own subscription. */
export type LogTail = {
  /** What comes after a position, in log order; maybe nothing yet. Undefined if the tail does not reach back to the position. */
  after(at: LogPosition): readonly LogItem[] | undefined
  /** Resolves at the next change, or at `wake`: first for the lowest rank, so that the order is not that of who was done last. */
  changed(rank: number): Promise<void>
  wake(): void
  stop(): Promise<void>
}

const isAfter = (position: Position | 'start', other: Position | 'start'): boolean =>
  position !== 'start' && (other === 'start' || position > other)

/** The newest events, and where the log has been read up to. */
const createNewest = (from: Position | 'start') => {
  let before = from
  let events: RecordedEvent[] = []
  let caughtUp: CaughtUp | undefined

  return {
    add(item: LogItem): void {
      if (item.kind === 'caught-up') caughtUp = item
      else {
        caughtUp = undefined
        events.push(item)
        if (events.length < 2 * maxEvents) return
        before = events[maxEvents - 1]?.position ?? before
        events = events.slice(maxEvents)
      }
    },
    after(position: Position | 'start'): readonly LogItem[] | undefined {
      if (isAfter(before, position)) return undefined
      let first = events.length
      while (first > 0 && isAfter(events[first - 1]?.position ?? 'start', position)) first -= 1
      const newer = events.slice(first)
      const isEndKnown = caughtUp === undefined || !isAfter(caughtUp.position, position)
      return isEndKnown ? newer : [...newer, ...(caughtUp === undefined ? [] : [caughtUp])]
    },
  }
}

/** Reads the log from its present end on. If that fails, the tail reaches back to nothing, and consumers meet the error themselves. */
export const startLogTail = (source: TailSource): LogTail => {
  const running = createRunningState()
  const { signal } = running
  const backoff = createBackoff({ firstMs: 20, maxMs: 1_000 })
  let newest: ReturnType<typeof createNewest> | undefined
  let waiting: { readonly rank: number; readonly resolve: () => void }[] = []
  let announcing: NodeJS.Immediate | undefined

  const announce = (): void => {
    clearImmediate(announcing)
    announcing = undefined
    const woken = waiting.toSorted((one, other) => one.rank - other.rank)
    waiting = []
    for (const { resolve } of woken) resolve()
  }

  const follow = async (): Promise<void> => {
    const end = await source.end()
    newest = createNewest(end)
    announce()
    for await (const item of source.subscribe(end, signal)) {
      newest.add(item)
      backoff.reset()
      // Events that were appended together are handled together.
      if (item.kind === 'caught-up') announce()
      else announcing ??= setImmediate(announce)
    }
    signal.throwIfAborted()
    throw new Error('The event store ended the subscription')
  }
  const onFailure = (): void => {
    newest = undefined
    announce()
  }
  const ended = retryUntilAborted(follow, { signal, backoff, onFailure })

  return {
    after: (at) => newest?.after(positionOf(at)),
    changed: (rank) => new Promise((resolve) => waiting.push({ rank, resolve })),
    wake: announce,
    async stop() {
      running.stop()
      await ended
      announce()
    },
  }
}
