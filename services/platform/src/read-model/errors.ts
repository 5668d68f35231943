/** The read model rejects commits, because another generation is about to replace it. Transient. */
export class ReadModelFencedError extends Error {
  override readonly name = 'ReadModelFencedError'
  readonly isTransient = true
  readonly isUserFacing = true
  constructor() {
    super('The read model is fenced: another generation is about to replace it. Try again in a few seconds')
  }
}

/**
 * The server holds older data than this connection has seen: it lost power, or a lagging replica took over. The read model rejects
 * its consumer's reads and writes until it has gone back to its stored cursors (`Maintenance.acceptOlder`).
 */
export class ReadModelWentBackError extends Error {
  override readonly name = 'ReadModelWentBackError'
  readonly isTransient = true
  /**
   * Whether positions and cursors went back together, in the order of one server's log. On a cluster a cursor can be ahead of its
   * partitions, and only a rebuild helps.
   */
  readonly isWhole: boolean
  constructor(namespace: string, what: string, isWhole: boolean) {
    super(`Read model '${namespace}' has gone back to older data: ${what}`)
    this.isWhole = isWhole
  }
}

/** The read model did not answer in time. Transient. The call may have taken effect: after a commit, read the position. */
export class ReadModelUnavailableError extends Error {
  override readonly name = 'ReadModelUnavailableError'
  readonly isTransient = true
}

/**
 * Data that this connection has seen is gone: the engine was emptied, or a part of it lost its data. The read model rejects writes,
 * because a history that begins in the middle looks complete. It rejects reads, because missing data looks like data that never
 * existed. A replay into another namespace repairs it.
 */
export class ReadModelEmptiedError extends Error {
  override readonly name = 'ReadModelEmptiedError'
  readonly isTransient = true
  constructor(namespace: string, what: string) {
    super(`Read model '${namespace}' has been emptied: ${what}; replay it`)
  }
}

/**
 * The file of the read model is corrupt. The read model rejects writes and answers the reads that still work. A replay into another
 * namespace repairs it.
 */
export class ReadModelDamagedError extends Error {
  override readonly name = 'ReadModelDamagedError'
  readonly isTransient = true

  constructor(namespace: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    super(`Read model '${namespace}' is damaged: ${reason}; replay it`, { cause })
  }
}

/** Whether data of the read model is gone or unreadable. No retry brings it back. */
export const isDataLoss = (error: unknown): error is Error =>
  error instanceof ReadModelEmptiedError || error instanceof ReadModelDamagedError

/** The text that a discontinuity record holds. */
export const dataLossText = (error: Error): string => `data of its read model is gone (${error.message})`

/**
 * The commit can never succeed, because the projection has a bug. The runner turns the message into a dead letter instead of retrying it
 * forever.
 */
export class InvalidCommit extends Error {
  override readonly name = 'InvalidCommit'
}

/** The caller asked for more than any adapter returns at once, which is a bug in the caller. */
export class ReadLimitExceeded extends RangeError {
  override readonly name = 'ReadLimitExceeded'
}
