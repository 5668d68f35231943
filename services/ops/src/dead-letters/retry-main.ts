import { mostReasonChars, operatorName } from '@portal/platform/operations/operation'
import { recordOperation } from '@portal/platform/operations/record-operation'
import { runCommand } from '../command.ts'
import { endNow, print } from '../output/print.ts'
import { operatorConfig } from '../settings/operator-config.ts'
import { openServingReadModels } from '../settings/serving-read-models.ts'
import { confirm } from './confirm.ts'
import { oldestFirst } from './list-dead-letters.ts'
import { countOf, deadLettersText } from './present-dead-letters.ts'
import { type Retried, retryDeadLetters } from './retry-dead-letters.ts'
import { chosenProjections, deadLettersOf, limitOf } from './selection.ts'

const usuallyTried = 100
const mostTried = 10_000
const shown = 10

const resultText = (retried: readonly Retried[], left: number): string =>
  [
    ...retried.map(({ projection, applied, failed }) => `${projection}: ${applied} applied, ${failed} failed again`),
    left === 0 ? 'No messages are parked any more.' : `${left} are still parked.`,
  ].join('\n')

/** `make dead-letters-retry`: tries again what could not be applied, after asking. Exit code 1 when something failed again. */
await runCommand(async () => {
  const chosen = chosenProjections(process.env)
  const limit = limitOf(process.env, usuallyTried, mostTried)
  const config = await operatorConfig(process.env)
  const readModels = await openServingReadModels(config)
  try {
    const before = await deadLettersOf(readModels, chosen, shown)
    const count = countOf(before)
    if (count === 0) return print(process.env, { retried: [], left: 0 }, () => deadLettersText([], []))

    const oldest = oldestFirst(before.flatMap((letters) => letters.oldest)).slice(0, shown)
    process.stderr.write(`${deadLettersText(before, oldest)}\n\n`)
    const question = `Try ${Math.min(limit, count)} of ${count} again, the oldest first?`
    if (!(await confirm(process.env, question))) return void process.stderr.write('Nothing was tried.\n')

    const record = (operation: Parameters<typeof recordOperation>[1]) => recordOperation(config, operation)
    const reason = (process.env['REASON'] ?? '').trim().slice(0, mostReasonChars)
    const who = { by: operatorName(), ...(reason !== '' && { reason }) }
    const retried = await retryDeadLetters({ readModels, chosen, limit, ...who, record })
    const left = countOf(await deadLettersOf(readModels, chosen, 1))
    print(process.env, { retried, left }, () => resultText(retried, left))
    if (retried.some(({ failed }) => failed > 0)) process.exitCode = 1
  } finally {
    await readModels.close()
  }
})
endNow()
