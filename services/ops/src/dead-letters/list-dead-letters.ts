import {
  type DeadLetter as RecordedDeadLetter,
  deadLetterFrom,
  deadLetterList,
  loadDeadLetterHeads,
  partitionsWithDeadLetters,
} from '@portal/platform/projection/dead-letters'
import type { ReadStore } from '@portal/platform/read-model/port'

/** A message that its projection could not apply, and those of its key behind it. */
export type DeadLetter = {
  readonly projection: string
  readonly partition: string
  readonly key: string
  readonly type: string
  readonly position: string
  /** When the event behind it was recorded. */
  readonly since: string
  readonly reason: string
}

export type DeadLetters = {
  readonly projection: string
  readonly count: number
  readonly oldest: readonly DeadLetter[]
}

const letterOf = (projection: string, { partition, envelope, reason }: RecordedDeadLetter): DeadLetter => {
  const { key, type, position, at } = envelope
  return { projection, partition, key, type, position, since: at, reason }
}

/** The oldest first. */
export const oldestFirst = (letters: readonly DeadLetter[]): readonly DeadLetter[] =>
  letters.toSorted((a, b) => (a.position < b.position ? -1 : a.position > b.position ? 1 : 0))

/** How many there are of a projection, and the oldest of them. */
export const listDeadLetters = async (
  readModel: ReadStore,
  projection: string,
  limit: number,
): Promise<DeadLetters> => {
  const partitions = await partitionsWithDeadLetters(readModel, projection)
  const heads = await loadDeadLetterHeads(readModel, projection, partitions)
  const letters: DeadLetter[] = []
  let count = 0
  for (const [index, partition] of partitions.entries()) {
    const here = [...(heads[index]?.keys.values() ?? [])].reduce((sum, some) => sum + some, 0)
    if (here === 0) continue
    count += here
    const entries = await readModel.range(partition, deadLetterList(projection), { order: 'ascending', limit })
    letters.push(...entries.map((entry) => letterOf(projection, deadLetterFrom(partition, entry))))
  }
  return { projection, count, oldest: oldestFirst(letters).slice(0, limit) }
}
