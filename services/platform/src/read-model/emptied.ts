/**
 * What this connection knows to have existed is gone: somebody emptied the engine, or it came back with older data. Nothing
 * is written any more, because a history that begins in the middle looks like a whole one. A replay into another namespace mends
 * it.
 */
export class ReadModelEmptiedError extends Error {
  override readonly name = 'ReadModelEmptiedError'
  readonly isPassing = true
  constructor(namespace: string, what: string) {
    super(`Read model '${namespace}' has been emptied: ${what}; replay it`)
  }
}
