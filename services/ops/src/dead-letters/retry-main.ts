import { createInterface } from 'node:readline/promises'
import { createCommandLogger } from '../output/command-logger.ts'
import { recordOperation } from '@portal/platform/operations/record-operation'
import type { Projection } from '@portal/platform/projection/projection'
import { retryDeadLetters as retryProjection } from '@portal/platform/projection/retry-dead-letters'
import type { Config } from '@portal/platform/settings/config'
import { CommandError, runCommand } from '../command.ts'
import { endNow, type Environment, isOn, print } from '../output/print.ts'
import { operatorAndReason, operatorConfig } from '../settings/operator-config.ts'
import { openServingReadModels, type ServingReadModels } from '../settings/serving-read-models.ts'
import {
  chosenProjections,
  countOf,
  deadLettersOf,
  deadLettersText,
  limitOf,
  oldestFirst,
} from './list-dead-letters.ts'

type Retried = { readonly projection: string; readonly applied: number; readonly failed: number }

/**
 * Retries dead letters, projection by projection, oldest first, at most `limit` in total. Safe while the portal is running. Records the
 * operation even if it fails halfway.
 */
const retryDeadLetters = async (
  config: Config,
  readModels: ServingReadModels,
  chosen: readonly Projection[],
  limit: number,
): Promise<readonly Retried[]> => {
  const logger = createCommandLogger()
  const done: Retried[] = []
  const tried = () => done.reduce((sum, { applied, failed }) => sum + applied + failed, 0)
  try {
    for (const projection of chosen) {
      const serving = tried() < limit ? await readModels.of(projection) : undefined
      if (!serving) continue
      const { readModel } = serving
      const { applied, failed } = await retryProjection({ projection, readModel, logger, limit: limit - tried() })
      if (applied + failed.length > 0) done.push({ projection: projection.name, applied, failed: failed.length })
    }
  } finally {
    const sum = (of: 'applied' | 'failed') => done.reduce((total, retried) => total + retried[of], 0)
    const projections = done.map(({ projection }) => projection)
    const what = { projections, limit, applied: sum('applied'), failed: sum('failed') }
    await recordOperation(config, { type: 'DeadLettersRetried', data: { ...operatorAndReason(process.env), what } })
  }
  return done
}

/** Asks at the terminal unless YES=1 is set. Without a terminal, YES=1 is required. */
const confirm = async (environment: Environment, question: string): Promise<boolean> => {
  if (isOn(environment, 'YES')) return true
  if (!process.stdin.isTTY || isOn(environment, 'JSON'))
    throw new CommandError(`${question} There is no terminal to confirm: set YES=1`)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim())
  } finally {
    terminal.close()
  }
}

const defaultLimit = 100
const maxLimit = 10_000
const shown = 10

const resultText = (retried: readonly Retried[], left: number): string =>
  [
    ...retried.map(({ projection, applied, failed }) => `${projection}: ${applied} applied, ${failed} failed again`),
    left === 0 ? 'No dead letters are left.' : `${left} are left.`,
  ].join('\n')

/** `make dead-letters-retry`: retries dead letters after a confirmation. Exit code 1 if one failed again. */
await runCommand(async () => {
  const chosen = chosenProjections(process.env)
  const limit = limitOf(process.env, defaultLimit, maxLimit)
  const config = await operatorConfig(process.env)
  const readModels = await openServingReadModels(config)
  try {
    const before = await deadLettersOf(readModels, chosen, shown)
    const count = countOf(before)
    if (count === 0) return print(process.env, { retried: [], left: 0 }, () => deadLettersText([], []))

    const oldest = oldestFirst(before.flatMap((letters) => letters.oldest)).slice(0, shown)
    process.stderr.write(`${deadLettersText(before, oldest)}\n\n`)
    const question = `Retry ${Math.min(limit, count)} of ${count}, oldest first?`
    if (!(await confirm(process.env, question))) return void process.stderr.write('Nothing was retried.\n')

    const retried = await retryDeadLetters(config, readModels, chosen, limit)
    const left = countOf(await deadLettersOf(readModels, chosen, 1))
    print(process.env, { retried, left }, () => resultText(retried, left))
    if (retried.some(({ failed }) => failed > 0)) process.exitCode = 1
  } finally {
    await readModels.close()
  }
})
endNow()
