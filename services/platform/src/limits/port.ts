/** Allows at most `max` attempts per key in a window that begins with the first attempt. */
export type AttemptLimit = {
  readonly max: number
  readonly windowMs: number
  /** A portal in one process does not keep its counts, because what exempts from the limit is forgotten with the process, too. */
  readonly isForgottenAtRestart?: true
}

export type AttemptLimiter = {
  /**
   * Counts an attempt atomically. Returns undefined if it is allowed, otherwise the seconds to wait. A rejected attempt is not
   * counted.
   */
  attempt(key: string): Promise<number | undefined>
  /** Seconds until the next attempt is allowed; undefined if it is allowed now. Counts nothing. */
  waitSeconds(key: string): Promise<number | undefined>
  /** Uncounts an attempt that should not count. */
  refund(key: string): Promise<void>
  reset(key: string): Promise<void>
}

export type AttemptLimiters = {
  /** `name` is a key prefix and a metric label, so it must be a constant. */
  of(name: string, limit: AttemptLimit): AttemptLimiter
}

/** An attempt that is counted by one of several limits. */
export type Counted = { readonly limiter: AttemptLimiter; readonly key: string }

/** The longest of several waits; undefined if there is none. */
export const longestWait = (...waits: readonly (number | undefined)[]): number | undefined => {
  const asked = waits.filter((seconds) => seconds !== undefined)
  return asked.length === 0 ? undefined : Math.max(...asked)
}

export const refundAll = async (counted: readonly Counted[]): Promise<void> => {
  await Promise.all(counted.map(({ limiter, key }) => limiter.refund(key)))
}

/** Counts an attempt with every limit, or with none if one rejects it. Returns the longest wait in seconds. */
export const attemptAll = async (attempts: readonly Counted[]): Promise<number | undefined> => {
  const waits = await Promise.all(attempts.map(({ limiter, key }) => limiter.attempt(key)))
  const wait = longestWait(...waits)
  if (wait !== undefined) await refundAll(attempts.filter((_attempt, index) => waits[index] === undefined))
  return wait
}

/** '12 seconds', '1 minute', '8 hours'. */
export const formatDuration = (seconds: number): string => {
  if (seconds < 60) return seconds === 1 ? '1 second' : `${seconds} seconds`
  const minutes = Math.ceil(seconds / 60)
  if (minutes > 120) return `${Math.ceil(minutes / 60)} hours`
  return minutes === 1 ? '1 minute' : `${minutes} minutes`
}

/** Counts the attempts that one limit rejects. */
export type RejectionCounter = { inc(): void }
