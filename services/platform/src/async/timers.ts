/** The clock and timers of asynchronous code. A simulation passes its own to control time. */
export type Timers = {
  /** Milliseconds on a clock that never goes back. */
  elapsedMs(): number
  /** Calls back once after `delayMs`, unless the returned function is called first. */
  schedule(callback: () => void, delayMs: number, options?: ScheduleOptions): () => void
}

type ScheduleOptions = {
  /** Lets the process exit while the timer is pending. */
  readonly unref?: boolean
}

/**
 * A computed delay as a timer takes it. Node cuts off the fraction, and a timer that fires too early makes its owner wait the whole time
 * again.
 */
export const wholeMs = (delayMs: number): number => Math.ceil(Math.max(0, delayMs))

export const systemTimers: Timers = {
  elapsedMs: () => performance.now(),
  schedule: (callback, delayMs, { unref = false } = {}) => {
    const timer = setTimeout(callback, wholeMs(delayMs))
    if (unref) timer.unref()
    return () => clearTimeout(timer)
  },
}

type SleepOptions = ScheduleOptions & {
  readonly signal?: AbortSignal
  readonly timers?: Timers
}

/** Resolves after `delayMs`, or as soon as the signal aborts. */
export const sleep = async (
  delayMs: number,
  { signal, timers = systemTimers, unref = false }: SleepOptions = {},
): Promise<void> => {
  if (signal?.aborted === true) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const cancel = timers.schedule(resolve, delayMs, { unref })
  const onAbort = () => {
    cancel()
    resolve()
  }
  signal?.addEventListener('abort', onAbort, { once: true })
  await promise
  signal?.removeEventListener('abort', onAbort)
}
