import type { Logger } from 'pino'
import { prepareApply } from '../projection/apply-in-partition.ts'
import type { Projection } from '../projection/projection.ts'
import { bufferReadModel } from '../read-model/buffered.ts'
import type { ReadModel } from '../read-model/port.ts'
import type { Place } from './log-place.ts'
import type { Gate } from './gate.ts'

/** A generation that the log is applied to. */
export type Target = {
  readonly projection: Projection
  /** Its namespace, and the connection to it. */
  readonly name: string
  readonly readModel: ReadModel
  readonly apply: (partition: string, envelope: Parameters<Projection['apply']>[0]) => Promise<unknown>
  /** Writes what has been applied. */
  flush(): Promise<void>
  /** While it is set, messages behind it are held back. */
  gate: Gate | undefined
  /** Behind here lies the first message that was held back. */
  heldFrom: Place | undefined
}

/** Applies as serving does, so with positions and parking, but writes in large commits: nobody waits for a single one. */
export const openTarget = async (
  projection: Projection,
  name: string,
  readModel: ReadModel,
  logger: Logger,
): Promise<Target> => {
  const buffered = await bufferReadModel(readModel)
  const { apply } = prepareApply({ projection, readModel: buffered, logger })
  return { projection, name, readModel, apply, flush: buffered.flush, gate: undefined, heldFrom: undefined }
}
