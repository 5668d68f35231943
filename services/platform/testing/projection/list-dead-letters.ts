import {
  type DeadLetter,
  deadLetterFrom,
  deadLetterList,
  partitionsWithDeadLetters,
} from '@portal/platform/projection/dead-letters'
import type { ReadStore } from '@portal/platform/read-model/port'

/** Lists at most `limit` dead letters of each partition, in the order in which they are retried. */
export const listDeadLetters = async (
  readModel: ReadStore,
  projection: string,
  limit: number,
): Promise<readonly DeadLetter[]> => {
  const listed: DeadLetter[] = []
  for (const partition of await partitionsWithDeadLetters(readModel, projection)) {
    const entries = await readModel.range(partition, deadLetterList(projection), { order: 'ascending', limit })
    listed.push(...entries.map((entry) => deadLetterFrom(partition, entry)))
  }
  return listed
}
