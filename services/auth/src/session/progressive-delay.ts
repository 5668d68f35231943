import { setTimeout as delay } from 'node:timers/promises'
import { boundedCache } from '@portal/platform/cache/bounded-cache'

export type Sleep = (ms: number) => Promise<void>
export const realSleep: Sleep = (ms) => delay(ms)

const windowMs = 15 * 60_000
const firstDelayMs = 125
const longestDelayMs = 2_000
const maxKeys = 50_000
/** Further attempts are rejected: each waiting one holds a connection. */
const maxWaiting = 500

export type DelayRule = {
  readonly key: string
  /** Failures in the window without a delay. */
  readonly free: number
  readonly maxWaiting: number
}

type Failures = { count: number; readonly endsAtMs: number; waiting: number }

/**
 * Delays failed logins before they are rejected. The delay doubles with each failure, up to two seconds. It is in
 * memory of each process: the exact count is the job of the limiters.
 */
export const createProgressiveDelay = ({ elapsedMs, sleep }: { elapsedMs(): number; readonly sleep: Sleep }) => {
  const failures = boundedCache<string, Failures>(maxKeys)
  let waiting = 0

  const failuresOf = (key: string): Failures | undefined => {
    const found = failures.get(key)
    return found && found.endsAtMs > elapsedMs() ? found : undefined
  }
  const delayOf = ({ key, free }: DelayRule): number => {
    const beyond = (failuresOf(key)?.count ?? 0) - free
    return beyond < 0 ? 0 : Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(beyond, 10))
  }

  return {
    /** Returns false if too many attempts are waiting. */
    wait: async (rules: readonly DelayRule[]): Promise<boolean> => {
      const delayMs = Math.max(0, ...rules.map(delayOf))
      if (delayMs === 0) return true
      const delayed = rules.filter((one) => delayOf(one) > 0)
      const isFull = delayed.some((one) => (failuresOf(one.key)?.waiting ?? 0) >= one.maxWaiting)
      if (waiting >= maxWaiting || isFull) return false
      const concerned = delayed.flatMap(({ key }) => failuresOf(key) ?? [])
      waiting += 1
      for (const one of concerned) one.waiting += 1
      try {
        await sleep(delayMs)
      } finally {
        waiting -= 1
        for (const one of concerned) one.waiting -= 1
      }
      return true
    },
    recordFailure: (rules: readonly DelayRule[]): void => {
      for (const { key } of rules) {
        const found = failuresOf(key)
        if (found) found.count += 1
        else failures.set(key, { count: 1, endsAtMs: elapsedMs() + windowMs, waiting: 0 })
      }
    },
    reset: (key: string): void => void failures.delete(key),
  }
}
export type ProgressiveDelay = ReturnType<typeof createProgressiveDelay>
