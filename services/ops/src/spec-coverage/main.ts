import { readFileSync } from 'node:fs'
import { CommandError, runCommand } from '../command.ts'
import { checkRows, quotedTexts, unmentioned } from './check.ts'
import { readFrom } from './read-from.ts'
import { parseCoverage } from './table.ts'

/** `make coverage SPEC=file`: every row of web/COVERAGE.md holds, and every quoted text of the specification has one. */
await runCommand(() => {
  const read = readFrom(process.cwd())
  const rows = parseCoverage(read('web/COVERAGE.md') ?? '')
  const specification = process.env['SPEC']
  const missing = specification ? unmentioned(quotedTexts(readFileSync(specification, 'utf8')), rows) : []
  const problems = [...checkRows(rows, read), ...missing.map((text) => `no row speaks of “${text}”`)]
  for (const problem of problems) process.stdout.write(`${problem}\n`)
  if (problems.length > 0) throw new CommandError(`${problems.length} of ${rows.length} rows do not hold`)
  process.stdout.write(`${rows.length} rows, each with its file and its test\n`)
})
