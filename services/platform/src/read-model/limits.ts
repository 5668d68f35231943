/** The bounds every adapter keeps; the contract suite checks them. */
export const readModelLimits = {
  writesPerCommit: 10_000,
  documentsPerRead: 10_000,
  entriesPerRead: 1_000,
  entriesPerRange: 1_000,
  /** Requests that wait for a projection at the same time. */
  waiting: 20_000,
} as const

export const checkAtMost = (count: number, most: number, what: string): void => {
  if (count > most) throw new RangeError(`${what}: ${count} asked for, at most ${most} at once`)
}
