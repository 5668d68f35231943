import type { Timers } from '../async/timers.ts'
import type { SecurityEvent } from './security-log.ts'

type MergeRepeatsOptions = {
  readonly windowMs: number
  /** Beyond this number, events of further keys are merged without their callers. */
  readonly maxKeys: number
  readonly timers: Timers
  write(event: SecurityEvent): void
}

type Window = { last: SecurityEvent; count: number; cancel: () => void }

/** Writes the first event of a key at once, then at most one in each window: the last one, with the number that it represents. */
export const createMergeRepeats = ({ windowMs, maxKeys, timers, write }: MergeRepeatsOptions) => {
  const windows = new Map<string, Window>()

  const flush = (window: Window): void => {
    const { last, count } = window
    if (count > 0) write(count === 1 ? last : { ...last, count })
    window.count = 0
  }
  const schedule = (key: string, window: Window): void => {
    const endWindow = (): void => {
      if (window.count === 0) return void windows.delete(key)
      flush(window)
      schedule(key, window)
    }
    window.cancel = timers.schedule(endWindow, windowMs, { unref: true })
  }
  const recordAs = (key: string, event: SecurityEvent): void => {
    const window = windows.get(key)
    if (window) {
      window.last = event
      window.count += 1
      return
    }
    write(event)
    const opened: Window = { last: event, count: 0, cancel: () => {} }
    windows.set(key, opened)
    schedule(key, opened)
  }

  return {
    record: (key: string, event: SecurityEvent): void => {
      if (windows.has(key) || windows.size < maxKeys) return recordAs(key, event)
      const { event: name, result, code } = event
      recordAs(`${name} ${result} ${code}`, { event: name, result, code })
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
