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
  readonly isForPeople = true
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
  readonly isPassing = true
  constructor() {
    super('The event store has too many appends waiting')
  }
}

/** The engine did not answer in time, or not at all. Whether an append was recorded is open: a repetition settles it. */
export class EventStoreUnavailableError extends Error {
  override readonly name = 'EventStoreUnavailableError'
  readonly isPassing = true
  constructor(cause?: unknown) {
    super('The event store does not answer', { cause })
  }
}

export class DataFolderInUseError extends Error {
  override readonly name = 'DataFolderInUseError'
  readonly isForPeople = true
  constructor(path: string) {
    super(`${path} is in use by another process; stop that one first or choose another data folder`)
  }
}
