/** `most` attempts by key in a window that begins with the first of them. */
export type AttemptLimit = { readonly max: number; readonly windowMs: number }

export type AttemptLimiter = {
  /**
   * Counts an attempt and answers in the same atomic step: undefined when there was room, else the seconds to wait. A refused attempt
   * is not counted.
   */
  attempt(key: string): Promise<number | undefined>
  /** Seconds until there is room for another attempt; undefined when there is room now. Counts nothing. */
  waitSeconds(key: string): Promise<number | undefined>
  /** For a counted attempt that turned out not to be one. */
  refund(key: string): Promise<void>
  reset(key: string): Promise<void>
}

export type AttemptLimiters = {
  /** `name` separates the keys of one limit from those of another and is a metric label, so it comes from the code. */
  of(name: string, limit: AttemptLimit): AttemptLimiter
}

/** One attempt that several limits have a say in. */
export type Counted = { readonly limiter: AttemptLimiter; readonly key: string }

/** The longest of several waits; undefined when none asks for one. */
export const longestWait = (...waits: readonly (number | undefined)[]): number | undefined => {
  const asked = waits.filter((seconds) => seconds !== undefined)
  return asked.length === 0 ? undefined : Math.max(...asked)
}

export const refundAll = async (counted: readonly Counted[]): Promise<void> => {
  await Promise.all(counted.map(({ limiter, key }) => limiter.refund(key)))
}

/** Counts an attempt with each limit, or with none where one of them has no room: then the longest wait. */
export const attemptAll = async (attempts: readonly Counted[]): Promise<number | undefined> => {
  const waits = await Promise.all(attempts.map(({ limiter, key }) => limiter.attempt(key)))
  const wait = longestWait(...waits)
  if (wait !== undefined) await refundAll(attempts.filter((_attempt, index) => waits[index] === undefined))
  return wait
}

/** As long as a refusal asks to wait: '12 seconds', '1 minute'. */
export const formatDuration = (seconds: number): string => {
  if (seconds < 60) return seconds === 1 ? '1 second' : `${seconds} seconds`
  const minutes = Math.ceil(seconds / 60)
  return minutes === 1 ? '1 minute' : `${minutes} minutes`
}
