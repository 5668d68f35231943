import type { ReadModel } from '../read-model/port.ts'
import { commitUnlessSealed } from './attempt.ts'

/**
 * In which partitions a projection has ever parked something: a read model cannot be asked for its partitions. Written
 * before the message is parked, so that it may name a partition too many, never one too few.
 */
const partition = 'parking'
const registerOf = (projection: string) => `parking-register:${projection}`
const listOf = (projection: string) => `parked-partitions:${projection}`
const attemptsOnConflict = 20
const most = 1_000

export const registerParking = async (readModel: ReadModel, projection: string, parkedIn: string): Promise<void> => {
  const list = listOf(projection)
  for (let attempt = 0; attempt < attemptsOnConflict; attempt++) {
    const expected = await readModel.position(registerOf(projection), partition)
    if ((await readModel.entry(partition, list, parkedIn)) !== undefined) return
    const score = Number(expected ?? '0') + 1
    const outcome = await commitUnlessSealed(readModel, {
      projection: registerOf(projection),
      partition,
      expected,
      position: String(score).padStart(12, '0'),
      writes: [{ op: 'add', list, member: parkedIn, score, value: null }],
    })
    if (outcome === 'committed') return
  }
  throw new Error(`The register of parked messages of ${projection} is being changed too fast`)
}

/** At most 1,000 of them, the first to have had one first. */
export const partitionsWithParking = async (
  readModel: Pick<ReadModel, 'range'>,
  projection: string,
): Promise<readonly string[]> => {
  const entries = await readModel.range(partition, listOf(projection), { order: 'ascending', limit: most })
  return entries.map(({ member }) => member)
}
