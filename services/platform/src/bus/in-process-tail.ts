import { createBackoff, retryUntilAborted } from '../async/backoff.ts'
import { createRunningState } from '../async/running-state.ts'
import type { CaughtUp, Position, RecordedEvent } from '../event-store/port.ts'
import { type LogPosition, positionOf } from './log-cursor.ts'

/** A consumer that is further behind reads the log by itself. */
const limits = { items: 512, jsonChars: 4 * 1024 * 1024 } as const

type LogItem = RecordedEvent | CaughtUp

type TailSource = {
  subscribe(after: LogPosition, signal: AbortSignal): AsyncIterable<LogItem>
  end(): Promise<Position | 'start'>
}

/**
 * The newest items of one subscription. It ends with the subscription: the log may have gone back meanwhile, so a consumer has to verify
 * its position before it follows the next one.
 */
export type TailView = {
  /** The number of the first item after a position. Undefined if the view has ended, or does not reach back that far. */
  find(at: LogPosition): number | undefined
  /** At most `max` items from this number on; maybe none yet. Undefined as for `find`. */
  from(number: number, max: number): readonly LogItem[] | undefined
}

/** The newest events of the log, read once for all consumers that keep up. Most of a consumer's work would be its own subscription. */
export type LogTail = {
  /** Undefined while the log cannot be read. */
  view(): TailView | undefined
  /** Resolves at the next change, or at `wake`: first for the lowest rank, so that the order is not that of who was done last. */
  changed(rank: number): Promise<void>
  wake(): void
  stop(): Promise<void>
}

const isAfter = (position: Position | 'start', other: Position | 'start'): boolean =>
  position !== 'start' && (other === 'start' || position > other)

const jsonCharsOf = (item: LogItem): number => (item.kind === 'event' ? JSON.stringify(item.data).length : 0)

const createView = (start: Position | 'start') => {
  let items: { readonly item: LogItem; readonly jsonChars: number }[] = []
  let firstNumber = 0
  let jsonChars = 0
  /** Everything up to here has been dropped, or came before the view. */
  let before = start
  let hasEnded = false

  const dropOlderHalf = (): void => {
    const dropped = items.slice(0, Math.ceil(items.length / 2))
    items = items.slice(dropped.length)
    firstNumber += dropped.length
    for (const one of dropped) {
      jsonChars -= one.jsonChars
      before = one.item.position
    }
  }

  return {
    add(item: LogItem): void {
      const chars = jsonCharsOf(item)
      items.push({ item, jsonChars: chars })
      jsonChars += chars
      while (items.length > limits.items || (jsonChars > limits.jsonChars && items.length > 1)) dropOlderHalf()
    },
    end(): void {
      hasEnded = true
      items = []
    },
    find(at: LogPosition): number | undefined {
      const position = positionOf(at)
      if (hasEnded || isAfter(before, position)) return undefined
      let first = items.length
      while (first > 0 && isAfter(items[first - 1]?.item.position ?? 'start', position)) first -= 1
      return firstNumber + first
    },
    from(number: number, max: number): readonly LogItem[] | undefined {
      if (hasEnded || number < firstNumber) return undefined
      const first = number - firstNumber
      return items.slice(first, first + max).map(({ item }) => item)
    },
  }
}

/** Reads the log from its present end on. While that fails, there is no view, and consumers meet the error themselves. */
export const startLogTail = (source: TailSource): LogTail => {
  const running = createRunningState()
  const { signal } = running
  const backoff = createBackoff({ firstMs: 20, maxMs: 1_000 })
  let current: ReturnType<typeof createView> | undefined
  let reading: Promise<void> = Promise.resolve()
  let waiting: { readonly rank: number; readonly resolve: () => void }[] = []
  let announcing: NodeJS.Immediate | undefined

  const announce = (): void => {
    clearImmediate(announcing)
    announcing = undefined
    const woken = waiting.toSorted((one, other) => one.rank - other.rank)
    waiting = []
    for (const { resolve } of woken) resolve()
  }

  const read = async (end: Position | 'start', view: ReturnType<typeof createView>): Promise<void> => {
    for await (const item of source.subscribe(end, signal)) {
      view.add(item)
      backoff.reset()
      // Events that were appended together are handled together.
      if (item.kind === 'caught-up') announce()
      else announcing ??= setImmediate(announce)
    }
  }

  const follow = async (): Promise<void> => {
    const end = await source.end()
    signal.throwIfAborted()
    const view = createView(end)
    current = view
    announce()
    try {
      reading = read(end, view)
      await reading
    } finally {
      view.end()
      current = undefined
      announce()
    }
    throw new Error('The event store ended the subscription')
  }
  void retryUntilAborted(follow, { signal, backoff, onFailure: () => undefined })

  return {
    view: () => current,
    changed: (rank) => new Promise((resolve) => waiting.push({ rank, resolve })),
    wake: announce,
    async stop() {
      running.stop()
      announce()
      // `follow` has handled its failure.
      await reading.catch(() => undefined)
    },
  }
}
