import { type Count, type Counters, createLimiters } from './limiters.ts'
import type { AttemptLimiters, RejectionCounter } from './port.ts'

type Window = { readonly endsAtMs: number; readonly max: number; attempts: number }

/** A window that has not ended, for another process to go on with. */
export type OpenWindow = {
  readonly key: string
  readonly attempts: number
  readonly max: number
  readonly leftMs: number
}

/** To evict a key, a caller would have to use this many other keys within one window. */
const defaultMaxKeys = 100_000

type MemoryCountersOptions = {
  readonly maxKeys?: number | undefined
  readonly open?: readonly OpenWindow[] | undefined
}

/**
 * Counts in the memory of this process; a restart resets all counters. `elapsedMs` must be monotonic: a wall clock that was briefly
 * ahead would lock users out.
 */
const createMemoryCounters = (
  elapsedMs: () => number,
  { maxKeys = defaultMaxKeys, open = [] }: MemoryCountersOptions,
) => {
  /** Windows in the order of their start, which is also the order of their end. */
  const windows = new Map<string, Window>()
  for (const { key, attempts, max, leftMs } of open) windows.set(key, { attempts, max, endsAtMs: elapsedMs() + leftMs })
  let changes = 0

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

  const counters: Counters = {
    add: async (key, change, windowSeconds, max) => {
      const existing = openWindow(key)
      const window = existing ?? { endsAtMs: elapsedMs() + windowSeconds * 1_000, max, attempts: 0 }
      const attempts = Math.max(0, window.attempts + change)
      if (change > 0 && attempts > max) return countOf({ ...window, attempts })
      changes += 1
      if (existing) existing.attempts = attempts
      else if (change > 0) begin(key, { ...window, attempts })
      return countOf({ ...window, attempts })
    },
    read: async (key) => {
      const window = openWindow(key)
      return window ? countOf(window) : null
    },
    remove: async (key) => {
      changes += 1
      return windows.delete(key) ? 1 : 0
    },
  }
  return {
    counters,
    changes: () => changes,
    /** Without objects for the windows that are not wanted: there may be 100,000. */
    openWindows: (isWanted: (window: Pick<OpenWindow, 'attempts' | 'max'>) => boolean): readonly OpenWindow[] => {
      const nowMs = elapsedMs()
      const wanted: OpenWindow[] = []
      for (const [key, window] of windows) {
        const { attempts, max, endsAtMs } = window
        if (endsAtMs > nowMs && isWanted(window)) wanted.push({ key, attempts, max, leftMs: endsAtMs - nowMs })
      }
      return wanted
    },
  }
}

type ByNameOptions = {
  readonly maxKeys?: number | undefined
  /** Windows to go on with, by limit name, in the order of their end. */
  readonly open?: ReadonlyMap<string, readonly OpenWindow[]> | undefined
}

/** One set of counters per limit name, because all windows in a set have the same length. */
export const memoryCountersByName = (elapsedMs: () => number, { maxKeys, open = new Map() }: ByNameOptions = {}) => {
  const create = (windows?: readonly OpenWindow[]) => createMemoryCounters(elapsedMs, { maxKeys, open: windows })
  const byName = new Map([...open].map(([name, windows]) => [name, create(windows)]))
  return {
    of: (name: string): Counters => {
      const existing = byName.get(name) ?? create()
      byName.set(name, existing)
      return existing.counters
    },
    /** Grows with each change. */
    changes: (): number => [...byName.values()].reduce((sum, { changes }) => sum + changes(), 0),
    all: () => [...byName].map(([name, { openWindows }]) => ({ name, openWindows })),
  }
}

type MemoryLimitersOptions = {
  /** A monotonic clock in milliseconds. */
  readonly elapsedMs: () => number
  readonly maxKeys?: number | undefined
  readonly rejectionsOf?: ((name: string) => RejectionCounter) | undefined
}

/** Limits for a standalone portal. */
export const createMemoryLimiters = ({ elapsedMs, maxKeys, rejectionsOf }: MemoryLimitersOptions): AttemptLimiters =>
  createLimiters({ counters: memoryCountersByName(elapsedMs, { maxKeys }).of, rejectionsOf })
