import type { Position } from '../event-store/port.ts'
import type { Checkpoints } from '../read-model/port.ts'

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
