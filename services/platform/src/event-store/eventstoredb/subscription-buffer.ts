import { createRunningState } from '../../async/running-state.ts'
import { wholeMs } from '../../async/timers.ts'

/** Buffers the items of one streaming call. The reader takes them at its own pace. */
export type SubscriptionBuffer<T> = {
  /** The next buffered item. */
  take(): T | undefined
  /** Resolves when an item is buffered or the call has ended, and with 'timed-out' after `timeoutMs`. May resolve too early. */
  changed(timeoutMs?: number): Promise<'changed' | 'timed-out'>
  /** Makes `changed` resolve. */
  wake(): void
  /** How the call ended, after all its items have been taken. */
  ending(): { readonly error?: unknown } | undefined
  /** Cancels the call. */
  stop(): void
}

/** The part of a Readable that is used here. */
export type CallStream<D> = {
  on(event: 'data', listener: (data: D) => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'end', listener: () => void): unknown
  on(event: 'close', listener: () => void): unknown
  pause(): unknown
  resume(): unknown
  isPaused(): boolean
  readonly readableLength: number
}

type Call<D> = { readonly stream: CallStream<D>; cancel(): Promise<void> }

/** When this many items are buffered, the stream is paused, and flow control stops the server. */
const maxBuffered = 64
const resumeAt = 16

/**
 * Reads a call's stream. `itemOf` returns undefined for data to skip. `addNote` inserts an item that did not arrive as data, after
 * the data that arrived before it.
 */
export const bufferSubscription = <D, T>({ stream, cancel }: Call<D>, itemOf: (data: D) => T | undefined) => {
  let buffered: T[] = []
  let next = 0
  let emitted = 0
  const state = createRunningState()
  let ended: { readonly error?: unknown } | undefined
  let wake = (): void => undefined
  /** Notes that come after data which the stream has not emitted yet. */
  let notes: { readonly after: number; readonly item: T; readonly replaces: (other: T) => boolean }[] = []

  const put = (item: T): void => {
    buffered.push(item)
    wake()
  }
  const end = (ending: { readonly error?: unknown }): void => {
    ended ??= ending
    wake()
  }
  const putNote = (item: T, replaces: (other: T) => boolean): void => {
    const last = buffered.at(-1)
    if (next < buffered.length && last !== undefined && replaces(last)) buffered[buffered.length - 1] = item
    else put(item)
  }

  stream.on('data', (data) => {
    if (state.isStopped()) return
    emitted += 1
    try {
      const item = itemOf(data)
      if (item !== undefined) put(item)
    } catch (error) {
      end({ error })
    }
    while (notes[0] !== undefined && notes[0].after <= emitted) {
      putNote(notes[0].item, notes[0].replaces)
      notes = notes.slice(1)
    }
    if (buffered.length - next >= maxBuffered) stream.pause()
  })
  stream.on('error', (error) => end({ error }))
  stream.on('end', () => end({}))
  stream.on('close', () => end({}))

  const buffer: SubscriptionBuffer<T> = {
    take: () => {
      const item = buffered[next]
      if (item === undefined) return undefined
      next += 1
      if (next === buffered.length || next >= maxBuffered) {
        buffered = buffered.slice(next)
        next = 0
      }
      if (buffered.length - next <= resumeAt && stream.isPaused()) stream.resume()
      return item
    },
    changed: (timeoutMs) =>
      new Promise((resolve) => {
        if (next < buffered.length || ended !== undefined) return resolve('changed')
        const settle = (outcome: 'changed' | 'timed-out'): void => {
          clearTimeout(timer)
          wake = () => undefined
          resolve(outcome)
        }
        const timer = timeoutMs === undefined ? undefined : setTimeout(() => settle('timed-out'), wholeMs(timeoutMs))
        wake = () => settle('changed')
      }),
    wake: () => wake(),
    ending: () => (next < buffered.length ? undefined : ended),
    stop: () => {
      if (!state.stop()) return
      buffered = []
      next = 0
      end({})
      // The call is over; why it could not be canceled does not matter.
      cancel().catch(() => undefined)
      stream.resume()
    },
  }
  return {
    buffer,
    /** Replaces the last buffered item if `replaces` returns true for it. */
    addNote: (item: T, replaces: (other: T) => boolean): void => {
      if (ended !== undefined) return
      if (stream.readableLength === 0) putNote(item, replaces)
      else notes.push({ after: emitted + stream.readableLength, item, replaces })
    },
  }
}
