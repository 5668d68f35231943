/** The bounds every adapter keeps; the contract suite checks them. */
export const readModelLimits = {
  writesPerCommit: 10_000,
  documentsPerRead: 10_000,
  entriesPerRead: 1_000,
  entriesPerRange: 1_000,
  /** Requests that wait for a projection at the same time. */
  waiting: 20_000,
} as const

/** More was asked for at once than any adapter gives: a mistake of the caller, not of the machine. */
export class ReadLimitExceeded extends RangeError {
  override readonly name = 'ReadLimitExceeded'
}

export const checkAtMost = (count: number, most: number, what: string): void => {
  if (count > most) throw new ReadLimitExceeded(`${what}: ${count} asked for, at most ${most} at once`)
}
