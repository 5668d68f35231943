import { ReadModelDamagedError } from './damaged.ts'
import { ReadModelEmptiedError } from './emptied.ts'
import type { ReadModel } from './port.ts'

/** Whether the error says that data of the read model is gone or cannot be read any more, which no retry brings back. */
export const isLost = (error: unknown): error is Error =>
  error instanceof ReadModelEmptiedError || error instanceof ReadModelDamagedError

/** For the record of it. */
export const missingFrom = (error: Error): string => `data of its read model is gone (${error.message})`

/** Stands in for a read model that cannot be opened, so that the process serves the others. Rejects everything. */
export const lostReadModel = (cause: Error): ReadModel => {
  const lost = async (): Promise<never> => {
    throw cause
  }
  return {
    // No namespace ever has it.
    epoch: 'lost',
    lineage: () => 'lost',
    commit: lost,
    commitAll: lost,
    position: lost,
    whenApplied: lost,
    putImmutable: lost,
    get: lost,
    getMany: lost,
    entry: lost,
    range: lost,
    entries: lost,
    loadCursors: lost,
    saveCursor: lost,
    partitions: lost,
    positions: lost,
    positionIds: lost,
    digest: lost,
    seal: lost,
    unseal: lost,
    acceptOlder: () => undefined,
    check: lost,
    close: async () => undefined,
  }
}
