export type AttemptLimit = { readonly most: number; readonly windowMs: number }

export type AttemptLimiter = {
  /** Seconds until there is room for another attempt; undefined when there is room now. */
  waitSeconds(key: string): number | undefined
  count(key: string): void
  /** For an attempt that was counted beforehand and turned out to be none. */
  takeBack(key: string): void
  forget(key: string): void
}

type Window = { readonly endsAtMs: number; readonly attempts: number }

/** To make it forget somebody, one would have to fail under this many other keys in one window. */
const defaultKeysRemembered = 100_000

/**
 * Counts attempts by key, in memory: a restart forgets them, and each process of several counts for itself. `elapsedMs` must never
 * go back: a wall clock that was ahead for a moment would lock users out until it is there again.
 */
export const createAttemptLimiter = (
  limit: AttemptLimit,
  elapsedMs: () => number,
  keysRemembered = defaultKeysRemembered,
): AttemptLimiter => {
  /** In the order in which they began, which is also the order in which they end. */
  const windows = new Map<string, Window>()

  const windowOf = (key: string): Window | undefined => {
    const window = windows.get(key)
    return window && window.endsAtMs > elapsedMs() ? window : undefined
  }

  const begin = (key: string): void => {
    const nowMs = elapsedMs()
    windows.delete(key)
    for (const [oldest, { endsAtMs }] of windows) {
      if (endsAtMs > nowMs && windows.size < keysRemembered) break
      windows.delete(oldest)
    }
    windows.set(key, { endsAtMs: nowMs + limit.windowMs, attempts: 1 })
  }

  return {
    waitSeconds: (key) => {
      const window = windowOf(key)
      if (!window || window.attempts < limit.most) return undefined
      return Math.ceil((window.endsAtMs - elapsedMs()) / 1_000)
    },
    count: (key) => {
      const window = windowOf(key)
      if (window) windows.set(key, { ...window, attempts: window.attempts + 1 })
      else begin(key)
    },
    takeBack: (key) => {
      const window = windowOf(key)
      if (window && window.attempts > 0) windows.set(key, { ...window, attempts: window.attempts - 1 })
    },
    forget: (key) => {
      windows.delete(key)
    },
  }
}

/** The longest of several waits; undefined when none asks for one. */
export const longestWait = (...waits: readonly (number | undefined)[]): number | undefined => {
  const asked = waits.filter((seconds) => seconds !== undefined)
  return asked.length === 0 ? undefined : Math.max(...asked)
}
