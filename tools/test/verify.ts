import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { resultsFolder } from './run-stage.ts'

/**
 * `make verify`: all there is to try before a release, as long as it takes. Each step runs whatever the others found. Writes
 * test-results/verify.md after each of them, so that an interrupted run keeps its table. `ONLY=tests,faults` chooses steps.
 */
type Step = { readonly name: string; readonly make: readonly string[] }

/** The release before this one. Without its tag, as in a shallow clone, all areas are mutated. */
const lastRelease = spawnSync('git', ['describe', '--tags', '--abbrev=0'], { encoding: 'utf8' }).stdout.trim()

const steps: readonly Step[] = [
  { name: 'tests', make: ['test', 'CIRCLE=verify'] },
  { name: 'promises', make: ['coverage'] },
  { name: 'packages', make: ['sbom'] },
  { name: 'audit', make: ['audit'] },
  { name: 'faults', make: ['faults'] },
  { name: 'mutants', make: ['mutants', ...(lastRelease ? [`SINCE=${lastRelease}`] : [])] },
  { name: 'figures', make: ['bench', 'QUICK=1'] },
]

// A step would take ONLY for a choice of its own. make hands its variables down in the others.
const { ONLY, MAKEFLAGS: _flags, MAKEOVERRIDES: _overrides, MFLAGS: _formerFlags, ...stepEnvironment } = process.env

const only = ONLY?.split(',').filter(Boolean)
const unknown = (only ?? []).filter((name) => !steps.some((step) => step.name === name))
if (unknown.length > 0) {
  process.stderr.write(`Unknown steps: ${unknown.join(', ')}. Known: ${steps.map(({ name }) => name).join(', ')}\n`)
  process.exit(1)
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const readList = (name: string): readonly Record<string, unknown>[] => {
  try {
    const found: unknown = JSON.parse(readFileSync(join(resultsFolder, name), 'utf8'))
    return Array.isArray(found) ? found.filter(isRecord) : []
  } catch {
    return [] // the tests were not among the chosen steps
  }
}

const minutes = (seconds: number): string => (seconds / 60).toFixed(1)
const stageRows = (): readonly string[] =>
  readList('stages.json').map(
    ({ projects, seconds, passed, failed }) =>
      `| tests: ${Array.isArray(projects) ? projects.join(', ') : ''} | ${String(passed)} passed, ${String(failed)} failed | ${minutes(Number(seconds))} |`,
  )
const unstableRows = (): readonly string[] =>
  readList('unstable.json').map(({ file, title }) => `- unstable: ${String(file)} > ${String(title)}`)

mkdirSync(resultsFolder, { recursive: true })
const rows: string[] = []
const save = (): void =>
  writeFileSync(
    join(resultsFolder, 'verify.md'),
    ['| step | result | minutes |', '| --- | --- | ---: |', ...rows, '', ...unstableRows(), ''].join('\n'),
  )
let failed = 0
for (const { name, make } of steps.filter((step) => only?.includes(step.name) ?? true)) {
  process.stdout.write(`\n── make ${make.join(' ')}\n`)
  const startedAt = performance.now()
  const [exitCode]: (number | null)[] = await once(
    spawn('make', make, { stdio: 'inherit', env: stepEnvironment }),
    'exit',
  )
  if (exitCode !== 0) failed++
  rows.push(
    `| ${name} | ${exitCode === 0 ? 'passed' : 'failed'} | ${minutes((performance.now() - startedAt) / 1000)} |`,
  )
  if (name === 'tests') rows.push(...stageRows())
  save()
}
process.stdout.write(`\n${readFileSync(join(resultsFolder, 'verify.md'), 'utf8')}`)
process.exit(failed > 0 ? 1 : 0)
