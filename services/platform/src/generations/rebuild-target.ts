import type { Logger } from 'pino'
import { createPartitionApplier } from '../projection/partition-applier.ts'
import type { Projection } from '../projection/projection.ts'
import { createRebuildBuffer } from './rebuild-buffer.ts'
import type { ReadModel } from '../read-model/port.ts'
import type { BuiltPosition } from './built-position.ts'
import type { Baseline } from './baseline-check.ts'

/** A generation that a run builds from the log. */
export type RebuildTarget = {
  readonly projection: Projection
  /** Its namespace, and the connection to it. */
  readonly name: string
  readonly readModel: ReadModel
  readonly apply: (partition: string, envelope: Parameters<Projection['apply']>[0]) => Promise<unknown>
  /** Writes what has been applied. */
  flush(): Promise<void>
  /** While it is set, messages after its positions are held back. */
  baseline: Baseline | undefined
  /** The position before the first message that was held back. */
  heldFrom: BuiltPosition | undefined
}

/** Applies as a running projection does, with positions and dead letters, but writes in large commits. */
export const openRebuildTarget = async (
  projection: Projection,
  name: string,
  readModel: ReadModel,
  logger: Logger,
): Promise<RebuildTarget> => {
  const buffered = await createRebuildBuffer(readModel)
  const { apply } = createPartitionApplier({ projection, readModel: buffered, logger })
  return { projection, name, readModel, apply, flush: buffered.flush, baseline: undefined, heldFrom: undefined }
}
