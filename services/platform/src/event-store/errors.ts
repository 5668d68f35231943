import { isUserFacing } from '../errors/error-kinds.ts'

/** The append breaks a rule on names, ids, types or size. A retry cannot succeed. */
export class InvalidAppendError extends Error {
  override readonly name = 'InvalidAppendError'
}

/** An id of the append belongs to another event. Nothing was appended. */
export class EventIdReusedError extends Error {
  override readonly name = 'EventIdReusedError'
}

/** The position was made by another store, or is after the end of the log. Happens after an older copy was restored. */
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

/** Too many appends are waiting. Nothing was appended; a later retry may succeed. */
export class StoreOverloadedError extends Error {
  override readonly name = 'StoreOverloadedError'
  readonly isTransient = true
  constructor() {
    super('The event store has too many appends waiting')
  }
}

/** The engine did not answer in time. */
export class EventStoreUnavailableError extends Error {
  override readonly name: string = 'EventStoreUnavailableError'
  readonly isTransient = true
  constructor(cause?: unknown) {
    super('The event store does not answer', { cause })
  }
}

/** The answer of an append was lost, so it may be recorded. A retry with the same event ids is safe and gets the answer. */
export class AppendOutcomeUnknownError extends EventStoreUnavailableError {
  override readonly name = 'AppendOutcomeUnknownError'
  readonly isOutcomeUnknown = true
}

/** The event store cannot write at the moment, for example because its disk is full. Nothing was appended. */
export class WriteFailedError extends Error {
  override readonly name = 'WriteFailedError'
  readonly isTransient = true
  readonly isWriteRefused = true
  readonly isUserFacing = true
  /** `file` is missing for a server. */
  constructor(cause: unknown, file?: string) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    // A user-facing cause names the file itself.
    const place = file === undefined || isUserFacing(cause) ? '' : `${file}: `
    super(`The event store cannot write (${place}${reason})`, { cause })
  }
}

/** The event store's certificate was issued by an untrusted authority or for another host. */
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

/** The address of the event store is wrong, or the server rejects its user or denies that user a right. Waiting does not help. */
export class StoreAccessError extends Error {
  override readonly name = 'StoreAccessError'
  readonly isUserFacing = true
}

export class DataFolderInUseError extends Error {
  override readonly name = 'DataFolderInUseError'
  readonly isUserFacing = true
  constructor(path: string) {
    super(`${path} is in use by another process; stop that one first or choose another data folder`)
  }
}

/** Another portal in one process writes to the event store. Both would push the same notifications. */
export class OtherWriterError extends Error {
  override readonly name = 'OtherWriterError'
  readonly isUserFacing = true
  readonly isTransient = true
  readonly isWriteRefused = true
  constructor(address: string, where: string, since: string) {
    super(
      `Another portal (${where}, since ${since}) writes to the event store at ${address}. Stop one of them, or give them a Kafka and a Redis to share`,
    )
  }
}
