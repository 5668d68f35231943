import type { Position } from '../event-store/port.ts'
import type { ReadModel } from '../read-model/port.ts'
import type { Place } from './apply-log.ts'

/** How far in the log a generation has been built: what came before is in it. Kept like a cursor, beside the projection's. */
const consumer = 'replay'
const only = '0'

export const saveLogPlace = async (readModel: ReadModel, place: Place): Promise<void> => {
  if (place !== 'start') await readModel.saveCursor(consumer, only, place)
}

export const loadLogPlace = async (readModel: ReadModel): Promise<Place> => {
  const saved = (await readModel.loadCursors(consumer))[only]
  // Only places of the log are saved here.
  return saved === undefined ? 'start' : (saved as Position)
}
