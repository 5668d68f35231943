import { type Count, type Counters, createLimiters } from './limiters.ts'
import type { AttemptLimiters, RejectionCounter } from './port.ts'

type Window = { readonly endsAtMs: number; attempts: number }

/** To evict a key, a caller would have to use this many other keys within one window. */
const defaultMaxKeys = 100_000

/**
 * Counts in the memory of this process; a restart resets all counters. `elapsedMs` must be monotonic: a wall clock that was briefly
 * ahead would lock users out.
 */
const createMemoryCounters = (elapsedMs: () => number, maxKeys = defaultMaxKeys): Counters => {
  /** Windows in the order of their start, which is also the order of their end. */
  const windows = new Map<string, Window>()

  const openWindow = (key: string): Window | undefined => {
    const window = windows.get(key)
    return window && window.endsAtMs > elapsedMs() ? window : undefined
  }

  const begin = (key: string, window: Window): void => {
    windows.delete(key)
    for (const [oldest, { endsAtMs }] of windows) {
      if (endsAtMs > elapsedMs() && windows.size < maxKeys) break
      windows.delete(oldest)
    }
    windows.set(key, window)
  }

  const countOf = ({ attempts, endsAtMs }: Window): Count => [attempts, Math.ceil(endsAtMs - elapsedMs())]

  return {
    add: async (key, change, windowSeconds, max) => {
      const existing = openWindow(key)
      const window = existing ?? { endsAtMs: elapsedMs() + windowSeconds * 1_000, attempts: 0 }
      const attempts = Math.max(0, window.attempts + change)
      if (change > 0 && attempts > max) return countOf({ ...window, attempts })
      if (existing) existing.attempts = attempts
      else if (change > 0) begin(key, { ...window, attempts })
      return countOf({ ...window, attempts })
    },
    read: async (key) => {
      const window = openWindow(key)
      return window ? countOf(window) : null
    },
    remove: async (key) => (windows.delete(key) ? 1 : 0),
  }
}

/** One set of counters per limit name, because all windows in a set have the same length. */
export const memoryCountersByName = (elapsedMs: () => number, maxKeys?: number): ((name: string) => Counters) => {
  const byName = new Map<string, Counters>()
  return (name) => {
    const counters = byName.get(name) ?? createMemoryCounters(elapsedMs, maxKeys)
    byName.set(name, counters)
    return counters
  }
}

export type MemoryLimitersOptions = {
  /** A monotonic clock in milliseconds. */
  readonly elapsedMs: () => number
  readonly maxKeys?: number | undefined
  readonly rejectionsOf?: ((name: string) => RejectionCounter) | undefined
}

/** Limits for a standalone portal. */
export const createMemoryLimiters = ({ elapsedMs, maxKeys, rejectionsOf }: MemoryLimitersOptions): AttemptLimiters =>
  createLimiters({ counters: memoryCountersByName(elapsedMs, maxKeys), rejectionsOf })
