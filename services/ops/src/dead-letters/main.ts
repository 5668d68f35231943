import { runCommand } from '../command.ts'
import { endNow, print } from '../output/print.ts'
import { readingConfig } from '../settings/operator-config.ts'
import { withServingReadModels } from '../settings/serving-read-models.ts'
import {
  chosenProjections,
  countOf,
  deadLettersOf,
  deadLettersText,
  limitOf,
  oldestFirst,
} from './list-dead-letters.ts'

const defaultLimit = 20
const maxLimit = 1_000

/** `make dead-letters`: lists messages that could not be applied and wait for a retry. */
await runCommand(async () => {
  const chosen = chosenProjections(process.env)
  const limit = limitOf(process.env, defaultLimit, maxLimit)
  const config = await readingConfig(process.env)
  const found = await withServingReadModels(config, (readModels) => deadLettersOf(readModels, chosen, limit))
  const oldest = oldestFirst(found.flatMap((letters) => letters.oldest)).slice(0, limit)
  const projections = found.map(({ projection, count }) => ({ projection, count }))
  print(process.env, { count: countOf(found), projections, oldest }, () => deadLettersText(found, oldest))
})
endNow()
