import type { Position } from '../event-store/port.ts'
import type { ReadModel } from '../read-model/port.ts'

/** How far the log has been read. */
export type Place = Position | 'start'

/** How far in the log a generation has been built: what came before is in it. Kept like a cursor, beside the projection's. */
const consumer = 'replay'
const only = '0'

export const saveLogPlace = async (readModel: ReadModel, place: Place): Promise<void> => {
  if (place !== 'start') await readModel.saveCursor(consumer, only, place)
}

/** Undefined for a generation that nothing was ever built into, or not any more: even of one that is empty a runner keeps cursors. */
export const loadLogPlace = async (readModel: ReadModel, group: string): Promise<Place | undefined> => {
  const saved = (await readModel.loadCursors(consumer))[only]
  // Only places of the log are saved here.
  if (saved !== undefined) return saved as Position
  const hasServed = Object.keys(await readModel.loadCursors(group)).length > 0
  return hasServed ? 'start' : undefined
}
