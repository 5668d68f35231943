import type { Timers } from '../async/timers.ts'

type MergeRepeatsOptions<Event> = {
  readonly windowMs: number
  /** Beyond this number, events of further keys are merged by their kind. */
  readonly maxKeys: number
  /** What an event has in common with others of its kind. There are few kinds. */
  kindOf(event: Event): Event
  readonly timers: Timers
  write(event: Event, count: number): void
}

type Window<Event> = { last: Event; count: number; cancel: () => void }

/** Writes the first event of a key at once, then at most one in each window: the last one, with the number that it represents. */
export const createMergeRepeats = <Event>(options: MergeRepeatsOptions<Event>) => {
  const { windowMs, maxKeys, kindOf, timers, write } = options
  const windows = new Map<string, Window<Event>>()

  const flush = (window: Window<Event>): void => {
    if (window.count > 0) write(window.last, window.count)
    window.count = 0
  }
  const schedule = (key: string, window: Window<Event>): void => {
    const endWindow = (): void => {
      if (window.count === 0) return void windows.delete(key)
      flush(window)
      schedule(key, window)
    }
    window.cancel = timers.schedule(endWindow, windowMs, { unref: true })
  }
  const recordAs = (key: string, event: Event): void => {
    const window = windows.get(key)
    if (window) {
      window.last = event
      window.count += 1
      return
    }
    write(event, 1)
    const opened: Window<Event> = { last: event, count: 0, cancel: () => {} }
    windows.set(key, opened)
    schedule(key, opened)
  }

  return {
    record: (key: string, event: Event): void => {
      if (windows.has(key) || windows.size < maxKeys) return recordAs(key, event)
      const kind = kindOf(event)
      recordAs(JSON.stringify(kind), kind)
    },
    /** Writes what has been counted. */
    close: (): void => {
      for (const window of windows.values()) {
        window.cancel()
        flush(window)
      }
      windows.clear()
    },
  }
}
