import type { Checkpoints, Maintenance, ProjectionWriter, ReadModel, ReadStore } from './port.ts'

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

/** Stands in for a read model that cannot be opened, so that the process serves the others. Rejects every call. */
export const unreadableReadModel = (cause: Error): ReadModel => {
  const lost = async (): Promise<never> => {
    throw cause
  }
  const store: ReadStore = {
    // No namespace has this epoch.
    epoch: 'lost',
    lineage: () => 'lost',
    get: lost,
    getMany: lost,
    entry: lost,
    entries: lost,
    range: lost,
  }
  const writer: ProjectionWriter = { commit: lost, commitAll: lost, putImmutable: lost }
  const checkpoints: Checkpoints = {
    position: lost,
    positions: lost,
    positionIds: lost,
    whenApplied: lost,
    loadCursors: lost,
    saveCursor: lost,
  }
  const maintenance: Maintenance = {
    partitions: lost,
    digest: lost,
    fence: lost,
    unfence: lost,
    acceptOlder: () => undefined,
    check: lost,
    close: async () => undefined,
  }
  return { ...store, ...writer, ...checkpoints, ...maintenance }
}
