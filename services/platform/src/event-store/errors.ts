/** The append can never succeed as it is: its stream name, its ids, types or its size break a rule. */
export class InvalidAppendError extends Error {
  override readonly name = 'InvalidAppendError'
}

/** An id of the append belongs to another event. Nothing was appended. */
export class EventIdReusedError extends Error {
  override readonly name = 'EventIdReusedError'
}

/** The position was not made by this store, or lies behind its end, as after restoring an older copy of it. */
export class UnknownPositionError extends Error {
  override readonly name = 'UnknownPositionError'
  readonly isUserFacing = true
}

export class StoreClosedError extends Error {
  override readonly name = 'StoreClosedError'
  constructor() {
    super('The event store is closed')
  }
}

/** More appends are waiting than the store takes on. Nothing was appended; a later retry may succeed. */
export class StoreOverloadedError extends Error {
  override readonly name = 'StoreOverloadedError'
  readonly isTransient = true
  constructor() {
    super('The event store has too many appends waiting')
  }
}

/** The engine did not answer in time, or not at all. */
export class EventStoreUnavailableError extends Error {
  override readonly name: string = 'EventStoreUnavailableError'
  readonly isTransient = true
  constructor(cause?: unknown) {
    super('The event store does not answer', { cause })
  }
}

/** An append was sent and its answer was lost: it may be recorded. A repetition with the same event ids settles it. */
export class AppendOutcomeUnknownError extends EventStoreUnavailableError {
  override readonly name = 'AppendOutcomeUnknownError'
  readonly isOutcomeUnknown = true
}

/** The event store takes no writes at the moment, as when its disk is full. */
export class WriteFailedError extends Error {
  override readonly name = 'WriteFailedError'
  readonly isTransient = true
  constructor(cause: unknown) {
    super(`The event store cannot write (${cause instanceof Error ? cause.message : String(cause)})`, { cause })
  }
}

/** The event store's certificate is of no authority that this process trusts, or of another host. */
export class UntrustedCertificateError extends Error {
  override readonly name = 'UntrustedCertificateError'
  readonly isUserFacing = true
  constructor(fault: string, cause: unknown) {
    super(
      `The event store's certificate is not trusted (${fault}); name the file of its authority in EVENT_STORE_URL: tlsCAFile=…`,
      { cause },
    )
  }
}

export class DataFolderInUseError extends Error {
  override readonly name = 'DataFolderInUseError'
  readonly isUserFacing = true
  constructor(path: string) {
    super(`${path} is in use by another process; stop that one first or choose another data folder`)
  }
}
