/** How many attempts a window has and how long it lasts. */
export type Count = readonly [attempts: number, leftMs: number]

/** Where attempts are counted: the memory of this process, or Redis. */
export type Counters = {
  /**
   * Adds `change` in one atomic step, unless that makes more than `most`. Answers the count it came to, or would have come to. A
   * window begins with the first addition; a subtraction begins none and leaves at least 0.
   */
  add(key: string, change: number, windowSeconds: number, most: number): Promise<Count>
  /** Null where no window is open. */
  read(key: string): Promise<Count | null>
  /** How many keys were removed. */
  remove(key: string): Promise<number>
}
