/** The read model takes no commits, because another generation is about to replace it. Transient. */
export class ReadModelFencedError extends Error {
  override readonly name = 'ReadModelFencedError'
  readonly isTransient = true
  readonly isUserFacing = true
  constructor() {
    super('The read model is sealed: another generation is about to take its place')
  }
}

/**
 * The server holds older data than this connection has seen: it lost power, or a lagging replica took over. The read model rejects
 * writes until the consumer has gone back to its stored cursors (`Maintenance.acceptOlder`).
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
