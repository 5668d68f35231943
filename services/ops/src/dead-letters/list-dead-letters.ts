import {
  type DeadLetter as RecordedDeadLetter,
  deadLetterFrom,
  deadLetterList,
  loadDeadLetterHeads,
  partitionsWithDeadLetters,
} from '@portal/platform/projection/dead-letters'
import type { Projection } from '@portal/platform/projection/projection'
import type { ReadStore } from '@portal/platform/read-model/port'
import { CommandError } from '../command.ts'
import { counted, moment, table } from '../output/format.ts'
import { reasonLine } from '../output/command-logger.ts'
import { type Environment, printable, shorten } from '../output/print.ts'
import { projections } from '../settings/consumers.ts'
import type { ServingReadModels } from '../settings/serving-read-models.ts'

/** A message that its projection could not apply, or a later message with the same key. */
type DeadLetter = {
  readonly projection: string
  readonly partition: string
  readonly key: string
  readonly type: string
  readonly position: string
  /** When its event was recorded. */
  readonly since: string
  readonly reason: string
}

type DeadLetters = {
  readonly projection: string
  readonly count: number
  readonly oldest: readonly DeadLetter[]
}

const letterOf = (projection: string, { partition, envelope, reason }: RecordedDeadLetter): DeadLetter => {
  const { key, type, position, at } = envelope
  return { projection, partition, key, type, position, since: at, reason }
}

/** Sorts by position. */
export const oldestFirst = (letters: readonly DeadLetter[]): readonly DeadLetter[] =>
  letters.toSorted((a, b) => (a.position < b.position ? -1 : a.position > b.position ? 1 : 0))

/** Counts the dead letters of a projection and returns the oldest ones. */
const listDeadLetters = async (readModel: ReadStore, projection: string, limit: number): Promise<DeadLetters> => {
  const partitions = await partitionsWithDeadLetters(readModel, projection)
  const heads = await loadDeadLetterHeads(readModel, projection, partitions)
  const letters: DeadLetter[] = []
  let count = 0
  for (const [index, partition] of partitions.entries()) {
    const inPartition = [...(heads[index]?.keys.values() ?? [])].reduce((sum, ofKey) => sum + ofKey, 0)
    if (inPartition === 0) continue
    count += inPartition
    const entries = await readModel.range(partition, deadLetterList(projection), { order: 'ascending', limit })
    letters.push(...entries.map((entry) => letterOf(projection, deadLetterFrom(partition, entry))))
  }
  return { projection, count, oldest: oldestFirst(letters).slice(0, limit) }
}

/** The projection that P names, or all projections. */
export const chosenProjections = (environment: Environment): readonly Projection[] => {
  const name = environment['P']
  if (!name) return projections
  const chosen = projections.filter((projection) => projection.name === name)
  if (chosen.length > 0) return chosen
  throw new CommandError(
    `P must be one of ${projections.map((projection) => projection.name).join(', ')}, not "${name}"`,
  )
}

export const limitOf = (environment: Environment, defaultLimit: number, max: number): number => {
  const text = environment['LIMIT'] || String(defaultLimit)
  const limit = Number(text)
  if (/^\d{1,9}$/.test(text) && limit >= 1 && limit <= max) return limit
  throw new CommandError(`LIMIT must be a whole number from 1 to ${max}, not "${text}"`)
}

/** Omits projections without dead letters. */
export const deadLettersOf = async (
  readModels: ServingReadModels,
  chosen: readonly Projection[],
  limit: number,
): Promise<readonly DeadLetters[]> => {
  const found: DeadLetters[] = []
  for (const projection of chosen) {
    const { name } = projection
    const serving = await readModels.of(projection)
    const letters = serving && (await listDeadLetters(serving.readModel, name, limit))
    if (letters && letters.count > 0) found.push(letters)
  }
  return found
}

const reasonChars = 120

export const countOf = (found: readonly DeadLetters[]): number => found.reduce((sum, { count }) => sum + count, 0)

const counts = (found: readonly DeadLetters[]): string =>
  found.map(({ projection, count }) => `${count} of ${projection}`).join(', ')

/** The count, and the oldest ones with their errors. */
export const deadLettersText = (found: readonly DeadLetters[], oldest: readonly DeadLetter[]): string => {
  if (found.length === 0) return 'No dead letters.'
  const rows = oldest.map(({ projection, partition, key, type, position, since, reason }) => [
    projection,
    partition,
    key,
    type,
    position,
    moment(since),
    shorten(reasonLine(reason), reasonChars),
  ])
  const all = countOf(found)
  const lines = [
    `${counted(all, 'dead letter')}: ${counts(found)}.`,
    '',
    ...table(['projection', 'partition', 'key', 'type', 'position', 'since', 'reason'], rows).split('\n'),
    ...(rows.length < all ? [`… and ${all - rows.length} more (set LIMIT)`] : []),
  ]
  return lines.map(printable).join('\n')
}
