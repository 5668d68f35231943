/** `most` attempts by key in a window that begins with the first of them. */
export type AttemptLimit = { readonly most: number; readonly windowMs: number }

export type AttemptLimiter = {
  /**
   * Counts an attempt and answers in the same atomic step: undefined when there was room, else the seconds to wait. A refused attempt
   * is not counted.
   */
  attempt(key: string): Promise<number | undefined>
  /** Seconds until there is room for another attempt; undefined when there is room now. Counts nothing. */
  waitSeconds(key: string): Promise<number | undefined>
  /** For a counted attempt that turned out not to be one. */
  takeBack(key: string): Promise<void>
  forget(key: string): Promise<void>
}

export type AttemptLimiters = {
  /** `name` separates the keys of one limit from those of another and is a metric label, so it comes from the code. */
  of(name: string, limit: AttemptLimit): AttemptLimiter
}
