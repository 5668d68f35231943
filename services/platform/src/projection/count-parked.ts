import type { ReadModel } from '../read-model/port.ts'
import { loadParkingHeads } from './parking.ts'
import { partitionsWithParking } from './parking-register.ts'

/** How many messages of a projection are parked. Two reads, however many they are. */
export const countParked = async (
  readModel: Pick<ReadModel, 'range' | 'getMany'>,
  projection: string,
): Promise<number> => {
  const heads = await loadParkingHeads(readModel, projection, await partitionsWithParking(readModel, projection))
  return heads.reduce((sum, { keys }) => sum + [...keys.values()].reduce((count, some) => count + some, 0), 0)
}
