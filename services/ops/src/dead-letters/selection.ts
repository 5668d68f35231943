import type { Projection } from '@portal/platform/projection/projection'
import { CommandError } from '../command.ts'
import type { Environment } from '../output/print.ts'
import { projections } from '../settings/consumers.ts'
import type { ServingReadModels } from '../settings/serving-read-models.ts'
import { type DeadLetters, listDeadLetters } from './list-dead-letters.ts'

/** The projection that P names, or all of them. */
export const chosenProjections = (environment: Environment): readonly Projection[] => {
  const name = environment['P']
  if (!name) return projections
  const chosen = projections.filter((projection) => projection.name === name)
  if (chosen.length > 0) return chosen
  throw new CommandError(
    `P must be one of ${projections.map((projection) => projection.name).join(', ')}, not "${name}"`,
  )
}

export const limitOf = (environment: Environment, usual: number, most: number): number => {
  const text = environment['LIMIT'] || String(usual)
  const limit = Number(text)
  if (/^\d{1,9}$/.test(text) && limit >= 1 && limit <= most) return limit
  throw new CommandError(`LIMIT must be a whole number from 1 to ${most}, not "${text}"`)
}

/** Of those projections that have any. */
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
