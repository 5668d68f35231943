import { systemTimers, type Timers } from './timers.ts'

/** The work took longer than its time limit. It continues in the background, and its outcome is discarded. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError'
}

/** The outcome of `work`, or a TimeoutError after `timeoutMs`. */
export const withTimeout = async <T>(
  work: Promise<T>,
  timeoutMs: number,
  operation: string,
  timers: Timers = systemTimers,
): Promise<T> => {
  const { promise: timedOut, reject } = Promise.withResolvers<never>()
  const cancel = timers.schedule(
    () => reject(new TimeoutError(`${operation} took longer than ${timeoutMs} ms`)),
    timeoutMs,
  )
  try {
    return await Promise.race([work, timedOut])
  } finally {
    cancel()
  }
}

/** The outcome of `work`, or undefined after `timeoutMs`. The work continues in the background. */
export const resultWithin = async <T>(
  work: Promise<T>,
  timeoutMs: number,
  timers: Timers = systemTimers,
): Promise<T | undefined> => {
  const { promise: timedOut, resolve } = Promise.withResolvers<undefined>()
  const cancel = timers.schedule(() => resolve(undefined), timeoutMs)
  try {
    return await Promise.race([work, timedOut])
  } finally {
    cancel()
  }
}
