import { sleep, systemTimers, type Timers } from '../async/timers.ts'
import { DatabaseLockedError, isLocked } from './database-file.ts'

/** A process of the portal, such as a replay, holds a lock for some milliseconds. */
const longestWaitMs = 1_000
const pausesMs = { first: 1, longest: 50 } as const

export type LockWait = {
  /**
   * Runs the work at once, and again while another process holds the lock, for one second. Then rejects with DatabaseLockedError.
   * While works wait, later ones wait behind them. Until the lock has been released, each later work is tried once.
   */
  run<T>(work: () => T): Promise<T>
}

/**
 * Waits for the lock of a database without blocking the event loop, as SQLite's own wait does. Open the database with `timeout: 0`.
 */
export const createLockWait = (file: string, { elapsedMs }: Pick<Timers, 'elapsedMs'> = systemTimers): LockWait => {
  /** When the lock was first and last met, without a success in between. */
  let locked: { readonly sinceMs: number; readonly lastMs: number } | undefined
  let last: Promise<void> | undefined

  const noteLocked = (): void => {
    const nowMs = elapsedMs()
    // Long ago, the lock may have been another one.
    const isSame = locked !== undefined && nowMs - locked.lastMs < longestWaitMs
    locked = { sinceMs: isSame && locked ? locked.sinceMs : nowMs, lastMs: nowMs }
  }

  /** The result, or the error of a lock. */
  const attempt = <T>(work: () => T): { readonly result: T } | { readonly lockError: unknown } => {
    try {
      const result = work()
      locked = undefined
      return { result }
    } catch (error) {
      if (!isLocked(error)) throw error
      noteLocked()
      return { lockError: error }
    }
  }

  const retry = async <T>(work: () => T): Promise<T> => {
    for (let pauseMs: number = pausesMs.first; ; pauseMs = Math.min(pauseMs * 2, pausesMs.longest)) {
      const outcome = attempt(work)
      if ('result' in outcome) return outcome.result
      const { sinceMs, lastMs } = locked ?? { sinceMs: 0, lastMs: 0 }
      if (lastMs - sinceMs >= longestWaitMs) throw new DatabaseLockedError(file, outcome.lockError)
      await sleep(pauseMs)
    }
  }

  return {
    async run(work) {
      if (last === undefined) {
        const outcome = attempt(work)
        if ('result' in outcome) return outcome.result
      }
      const running = (last ?? Promise.resolve()).then(() => retry(work))
      const ended = running.then(
        () => undefined,
        () => undefined,
      )
      last = ended
      try {
        return await running
      } finally {
        if (last === ended) last = undefined
      }
    },
  }
}
