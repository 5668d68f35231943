import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { machine, machineDescription } from '../bench/measure.ts'
import { repositoryRoot } from '../testing/portal-process.ts'
import { tableOf } from './report.ts'
import type { Scenario } from './scenario.ts'
import { engineScenarios } from './engine-scenarios.ts'
import { standaloneScenarios } from './standalone-scenarios.ts'
import { processScenarios } from './process-scenarios.ts'
import { groupByPortal, runScenarios } from './run-scenarios.ts'
import type { Measurement } from './measurement.ts'

/**
 * `make faults` injects each fault into a separate portal, prints the table, and writes it to fault-results/faults.md and
 * faults.json. `ROWS=redis-older,one-killed` selects scenarios. Exits with 1 if one fails.
 */
const rows = [...processScenarios, ...engineScenarios, ...standaloneScenarios]
const only = process.env['ROWS']?.split(',').filter((name) => name !== '')
const unknown = (only ?? []).filter((name) => !rows.some((row) => row.name === name))
if (unknown.length > 0) {
  process.stderr.write(`Unknown rows: ${unknown.join(', ')}. Known: ${rows.map(({ name }) => name).join(', ')}\n`)
  process.exit(1)
}

const pace = { warmUpMs: 4_000, coolDownMs: 4_000, steadyMs: 3_000 }

const folder = join(repositoryRoot, 'fault-results')
mkdirSync(folder, { recursive: true })

const ending = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort())

const measured: Measurement[] = []
/** Saves after each scenario, so that an interrupted run keeps its results. */
const save = () => {
  const content = { at: new Date().toISOString(), machine, rows: measured }
  writeFileSync(join(folder, 'faults.json'), `${JSON.stringify(content, null, 2)}\n`)
  writeFileSync(join(folder, 'faults.md'), `${machineDescription}\n\n${tableOf(measured)}\n`)
}
const keep = (result: Measurement): void => {
  measured.push(result)
  save()
}
const keepOutput = (name: string, output: string): void => writeFileSync(join(folder, `${name}.log`), output)
const report = (line: string): void => void process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`)
for (const group of groupByPortal(rows.filter(({ name }) => only?.includes(name) ?? true))) {
  let rest: readonly Scenario[] = group
  for (let [first, ...others] = rest; first && !ending.signal.aborted; [first, ...others] = rest) {
    const done = await runScenarios({
      rows: [first, ...others],
      pace,
      report,
      signal: ending.signal,
      onResult: keep,
      onFailure: keepOutput,
    })
    rest = rest.slice(done.length)
  }
}
process.stdout.write(`${machineDescription}\n\n${tableOf(measured)}\n`)
process.exit(measured.some(({ verdict }) => verdict === 'failed') ? 1 : 0)
