/** @module-tag verify */
import { expect, it } from 'vitest'
import type { Scenario } from './scenario.ts'
import { engineScenarios } from './engine-scenarios.ts'
import { standaloneScenarios } from './standalone-scenarios.ts'
import { runScenarios } from './run-scenarios.ts'

/**
 * The cheap rows of `make faults`, one after the other on one portal: after each of them nothing is lost and nothing came twice, or
 * /health was red with the command that has repaired it.
 */
const pace = { warmUpMs: 1_500, coolDownMs: 1_000, steadyMs: 1_500 }

const rowsNamed = (rows: readonly Scenario[], names: readonly string[]): [Scenario, ...Scenario[]] => {
  const [first, ...others] = names.map((name) => {
    const row = rows.find((candidate) => candidate.name === name)
    if (!row) throw new Error(`there is no row ${name}`)
    return row
  })
  if (!first) throw new Error('no row is named')
  return [first, ...others]
}

const verdictsOf = async (rows: [Scenario, ...Scenario[]]) => {
  const lines: string[] = []
  const measured = await runScenarios({ rows, pace, report: (line) => void lines.push(line) })
  const verdicts = measured.map(({ name, verdict, reason = '' }) => `${name}: ${verdict} ${reason}`.trim())
  return { verdicts, report: lines.join('\n') }
}

it.concurrent(
  'six processes lose and duplicate nothing when engines lose data',
  async () => {
    const names = ['redis-older', 'kafka-lost-behind', 'redis-emptied', 'store-older']
    const { verdicts, report } = await verdictsOf(rowsNamed(engineScenarios, names))
    expect(verdicts, `${report}`).toEqual([
      'redis-older: kept',
      'kafka-lost-behind: kept',
      'redis-emptied: repaired',
      'store-older: repaired',
    ])
  },
  600_000,
)

it.concurrent(
  'one process loses and duplicates nothing when its files are older or missing',
  async () => {
    const names = ['one-read-models-emptied', 'one-store-older']
    const { verdicts, report } = await verdictsOf(rowsNamed(standaloneScenarios, names))
    expect(verdicts, `${report}`).toEqual(['one-read-models-emptied: kept', 'one-store-older: repaired'])
  },
  300_000,
)
