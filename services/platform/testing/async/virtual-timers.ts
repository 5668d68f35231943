import type { Timers } from '../../src/async/timers.ts'

type Pending = { readonly dueMs: number; readonly callback: () => void }

const runMicrotasks = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Timers whose clock moves only by `advance`. */
export const createVirtualTimers = () => {
  let nowMs = 0
  let pending: readonly Pending[] = []

  const timers: Timers = {
    elapsedMs: () => nowMs,
    schedule: (callback, delayMs) => {
      const timer = { dueMs: nowMs + delayMs, callback }
      pending = [...pending, timer].toSorted((a, b) => a.dueMs - b.dueMs)
      return () => (pending = pending.filter((other) => other !== timer))
    },
  }
  return {
    timers,
    pendingCount: () => pending.length,
    /** Returns how long until each pending timer fires, in this order. */
    pendingMs: (): readonly number[] => pending.map(({ dueMs }) => dueMs - nowMs),
    /** Fires all timers due within `ms` in order, including those that they schedule. */
    advance: async (ms: number): Promise<void> => {
      const untilMs = nowMs + ms
      await runMicrotasks()
      for (let next = pending[0]; next !== undefined && next.dueMs <= untilMs; next = pending[0]) {
        pending = pending.slice(1)
        nowMs = next.dueMs
        next.callback()
        await runMicrotasks()
      }
      nowMs = untilMs
    },
    /** Resumes like a process after SIGSTOP: `ms` have passed, and all timers due by then fire in one turn. */
    resumeAfter: async (ms: number): Promise<void> => {
      nowMs += ms
      for (let next = pending[0]; next !== undefined && next.dueMs <= nowMs; next = pending[0]) {
        pending = pending.slice(1)
        next.callback()
      }
      await runMicrotasks()
    },
  }
}
