/**
 * The server came back with older data than this connection has seen: it lost power, or a replica that lags took over. Nothing is
 * written until the consumer has gone back to its stored cursors (`ReadModel.acceptOlder`).
 */
export class ReadModelWentBackError extends Error {
  override readonly name = 'ReadModelWentBackError'
  readonly isPassing = true
  /**
   * Whether positions and cursors went back together, in the order of one server's log. On a cluster a cursor can be ahead of
   * what it speaks of, and only a rebuild helps.
   */
  readonly isWhole: boolean
  constructor(namespace: string, what: string, isWhole: boolean) {
    super(`Read model '${namespace}' has gone back to older data: ${what}`)
    this.isWhole = isWhole
  }
}
