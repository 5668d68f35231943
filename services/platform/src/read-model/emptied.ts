/**
 * What this connection knows to have existed is gone: the engine was emptied, or a part of it lost its data. Nothing is written
 * any more, because a history that begins in the middle looks like a whole one, and nothing is read, because what is missing
 * looks like what never was. A replay into another namespace mends it.
 */
export class ReadModelEmptiedError extends Error {
  override readonly name = 'ReadModelEmptiedError'
  readonly isPassing = true
  constructor(namespace: string, what: string) {
    super(`Read model '${namespace}' has been emptied: ${what}; replay it`)
  }
}
