import { readFileSync } from 'node:fs'
import { CommandError, runCommand } from '../command.ts'
import { checkPromises, parsePromises, promiseTable, quotedTexts, readSources, unmentioned } from './promises.ts'

/** `make coverage SPEC=file`: prints web/promises.md with the tests of each promise, and fails if one has a problem. */
await runCommand(() => {
  const promises = parsePromises(readFileSync('web/promises.md', 'utf8'))
  const files = readSources('.')
  const specification = process.env['SPEC']
  const missing = specification ? unmentioned(quotedTexts(readFileSync(specification, 'utf8')), promises) : []
  const problems = [...checkPromises(promises, files), ...missing.map((text) => `no promise mentions “${text}”`)]
  for (const line of [...promiseTable(promises, files), ...problems]) process.stdout.write(`${line}\n`)
  if (problems.length > 0) throw new CommandError(`${problems.length} problems in ${promises.length} promises`)
  process.stdout.write(`${promises.length} promises, each with its test\n`)
})
