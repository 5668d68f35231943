/**
 * The file of the read model cannot be read any more. Nothing is written any more; what can still be read is. A replay into
 * another namespace mends it.
 */
export class ReadModelDamagedError extends Error {
  override readonly name = 'ReadModelDamagedError'
  readonly isPassing = true

  constructor(namespace: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    super(`Read model '${namespace}' is damaged: ${reason}; replay it`, { cause })
  }
}
