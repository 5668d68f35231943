import { createRunningState } from '../../async/running-state.ts'

/** What a call of the client brings, taken piece by piece at the reader's pace. */
export type SubscriptionBuffer<T> = {
  /** The next one that is there already. */
  take(): T | undefined
  /** Resolves when there is something to take or the call has ended, at the latest after `timeoutMs`. May resolve too early. */
  changed(timeoutMs?: number): Promise<void>
  /** Lets `changed` resolve. */
  nudge(): void
  /** How the call ended, once all that came before has been taken. */
  ending(): { readonly error?: unknown } | undefined
  /** Gives the call up. */
  stop(): void
}

/** What is used of a call's stream, a Readable. */
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

/** So many are held here; beyond that the stream waits, and through it the server. */
const mostHeld = 64
const resumeAt = 16

/**
 * Reads a call's stream; `itemOf` leaves out what gives undefined. `note` puts in what the stream says otherwise than as data,
 * behind the data that came before it.
 */
export const bufferSubscription = <D, T>({ stream, cancel }: Call<D>, itemOf: (data: D) => T | undefined) => {
  let held: T[] = []
  let next = 0
  let emitted = 0
  const state = createRunningState()
  let ended: { readonly error?: unknown } | undefined
  let wake = (): void => undefined
  /** Notes that wait for data which the stream still holds back. */
  let notes: { readonly after: number; readonly item: T; readonly replaces: (other: T) => boolean }[] = []

  const put = (item: T): void => {
    held.push(item)
    wake()
  }
  const end = (ending: { readonly error?: unknown }): void => {
    ended ??= ending
    wake()
  }
  const putNote = (item: T, replaces: (other: T) => boolean): void => {
    const last = held.at(-1)
    if (next < held.length && last !== undefined && replaces(last)) held[held.length - 1] = item
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
    if (held.length - next >= mostHeld) stream.pause()
  })
  stream.on('error', (error) => end({ error }))
  stream.on('end', () => end({}))
  stream.on('close', () => end({}))

  const arrivals: SubscriptionBuffer<T> = {
    take: () => {
      const item = held[next]
      if (item === undefined) return undefined
      next += 1
      if (next === held.length || next >= mostHeld) {
        held = held.slice(next)
        next = 0
      }
      if (held.length - next <= resumeAt && stream.isPaused()) stream.resume()
      return item
    },
    changed: (timeoutMs) =>
      new Promise((resolve) => {
        if (next < held.length || ended !== undefined) return resolve()
        const timer = timeoutMs === undefined ? undefined : setTimeout(() => wake(), timeoutMs)
        wake = () => {
          clearTimeout(timer)
          wake = () => undefined
          resolve()
        }
      }),
    nudge: () => wake(),
    ending: () => (next < held.length ? undefined : ended),
    stop: () => {
      if (!state.stop()) return
      held = []
      next = 0
      end({})
      // Why a call could not be given up does not matter any more.
      cancel().catch(() => undefined)
      stream.resume()
    },
  }
  return {
    arrivals,
    /** `replaces` tells which earlier note, not yet taken, this one makes superfluous. */
    note: (item: T, replaces: (other: T) => boolean): void => {
      if (ended !== undefined) return
      if (stream.readableLength === 0) putNote(item, replaces)
      else notes.push({ after: emitted + stream.readableLength, item, replaces })
    },
  }
}
