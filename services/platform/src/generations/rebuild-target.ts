import type { Position } from '../event-store/port.ts'
import type { Logger } from 'pino'
import { createPartitionApplier } from '../projection/partition-applier.ts'
import type { Projection } from '../projection/projection.ts'
import { createRebuildBuffer } from './rebuild-buffer.ts'
import type { Checkpoints, ReadModel } from '../read-model/port.ts'
import type { Baseline } from './baseline-check.ts'

/** How far the log has been read. */
export type BuiltPosition = Position | 'start'

/** A generation records how far in the log it has been built, as a cursor beside the projection's own. */
const consumer = 'replay'
const only = '0'

export const saveBuiltPosition = async (readModel: Checkpoints, place: BuiltPosition): Promise<void> => {
  if (place !== 'start') await readModel.saveCursor(consumer, only, place)
}

/** Undefined for a generation that is gone or was never built: even an empty one that served has cursors. */
export const loadBuiltPosition = async (readModel: Checkpoints, group: string): Promise<BuiltPosition | undefined> => {
  const saved = (await readModel.loadCursors(consumer))[only]
  // Only log positions are saved here.
  if (saved !== undefined) return saved as Position
  const hasServed = Object.keys(await readModel.loadCursors(group)).length > 0
  return hasServed ? 'start' : undefined
}

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
