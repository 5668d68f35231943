import { LRUCache } from 'lru-cache'

export type AttemptLimit = { readonly most: number; readonly windowMs: number }

export type AttemptLimiter = {
  /** Seconds until there is room for another attempt; undefined when there is room now. */
  waitSeconds(key: string): number | undefined
  count(key: string): void
  /** For an attempt that was counted beforehand and turned out to be none. */
  takeBack(key: string): void
}

/** To forget somebody, one would have to fail under this many other keys. */
const keysRemembered = 100_000

/** Counts attempts by key, in memory: a restart forgets them, and each process of several counts for itself. */
export const createAttemptLimiter = (limit: AttemptLimit, now: () => Date): AttemptLimiter => {
  const windows = new LRUCache<string, { readonly endsAtMs: number; readonly attempts: number }>({
    max: keysRemembered,
  })
  const windowOf = (key: string) => {
    const window = windows.get(key)
    return window && window.endsAtMs > now().getTime() ? window : undefined
  }
  return {
    waitSeconds: (key) => {
      const window = windowOf(key)
      if (!window || window.attempts < limit.most) return undefined
      return Math.ceil((window.endsAtMs - now().getTime()) / 1_000)
    },
    count: (key) => {
      const window = windowOf(key)
      const endsAtMs = window?.endsAtMs ?? now().getTime() + limit.windowMs
      windows.set(key, { endsAtMs, attempts: (window?.attempts ?? 0) + 1 })
    },
    takeBack: (key) => {
      const window = windowOf(key)
      if (window && window.attempts > 0) windows.set(key, { ...window, attempts: window.attempts - 1 })
    },
  }
}

/** The longest of several waits; undefined when none asks for one. */
export const longestWait = (...waits: readonly (number | undefined)[]): number | undefined => {
  const asked = waits.filter((seconds) => seconds !== undefined)
  return asked.length === 0 ? undefined : Math.max(...asked)
}
