import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type EnginesForTests, enginesForTests, testSettingOf } from '@portal/dev-cluster/engines/test-engines'
import { engineKinds } from '@portal/ops/dev-engines/addresses'
import { failuresOf, lineOf, noTests, sum, type Tally, tallyOf } from './report.ts'

type Stage = {
  readonly projects: readonly string[]
  readonly workers: string
  /** Files share a worker and its modules, as in `make check`. */
  readonly shareWorkers?: true
  /** Needs engines, which start before the first such stage and stop after the last. */
  readonly onEngines?: true
}

/**
 * The stages of `make test`, in order. Tests on engines mostly wait for timeouts, so several files run at once. Heavy
 * system tests load the machine, and the main job measures time: they run alone. The last output line is the count.
 */
const stages: readonly Stage[] = [
  { projects: ['backend', 'web'], workers: '100%', shareWorkers: true },
  { projects: ['engines'], workers: '4', onEngines: true },
  { projects: ['system'], workers: '2', onEngines: true },
  { projects: ['system-heavy'], workers: '1', onEngines: true },
  { projects: ['e2e'], workers: '100%', onEngines: true },
  { projects: ['journeys'], workers: '3' },
]
const resultsFolder = 'test-results'

/** `make test-unit` and the like run one part, `make test` all of them. */
const projectsOfPart: Readonly<Record<string, readonly string[]>> = {
  unit: ['backend', 'web'],
  engines: ['engines'],
  system: ['system', 'system-heavy'],
  e2e: ['e2e', 'journeys'],
}

const chosenStages = (parts: readonly string[]): readonly Stage[] => {
  if (parts.length === 0) return stages
  const wanted = new Set(parts.flatMap((part) => projectsOfPart[part] ?? []))
  return stages
    .map((stage) => ({ ...stage, projects: stage.projects.filter((project) => wanted.has(project)) }))
    .filter(({ projects }) => projects.length > 0)
}

const readReport = (path: string): unknown => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined // the run ended without a report; tallyOf counts that as a failure
  }
}

let running: ChildProcess | undefined
/** The first signal lets running tests end and stops the engines. The second exits immediately. */
let interruptedBy: NodeJS.Signals | undefined
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    if (interruptedBy) process.exit(1)
    interruptedBy = signal
    running?.kill(signal)
  })

type StageResult = { readonly tally: Tally; readonly failures: readonly string[] }

const runStage = async (
  { projects, workers, shareWorkers }: Stage,
  environment: NodeJS.ProcessEnv,
): Promise<StageResult> => {
  const reportPath = join(resultsFolder, `${projects.join('-')}.json`)
  rmSync(reportPath, { force: true })
  const child = spawn(
    process.execPath,
    [
      // Needed for timers of kafkajs; see its issue 1751.
      '--disable-warning=TimeoutNegativeWarning',
      'node_modules/vitest/vitest.mjs',
      'run',
      ...projects.flatMap((project) => ['--project', project]),
      `--maxWorkers=${workers}`,
      ...(shareWorkers ? ['--no-isolate'] : []),
      '--silent=passed-only',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${reportPath}`,
    ],
    { stdio: 'inherit', env: environment },
  )
  running = child
  const [exitCode]: (number | null)[] = await once(child, 'exit')
  running = undefined
  const report = readReport(reportPath)
  return { tally: tallyOf(report, exitCode ?? null), failures: failuresOf(report, process.cwd()) }
}

mkdirSync(resultsFolder, { recursive: true })
let total = noTests
const failures: string[] = []
let engines: EnginesForTests | undefined

const environmentOf = async ({ onEngines }: Stage): Promise<NodeJS.ProcessEnv> => {
  if (!onEngines) return process.env
  // After a failure, the stage tries to start engines itself, and fails if it cannot.
  engines ??= await enginesForTests(process.env).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
    return undefined
  })
  const urls = engines?.urls ?? {}
  const named = engineKinds.flatMap((kind) => (urls[kind] ? [[testSettingOf[kind], urls[kind]]] : []))
  return { ...process.env, ...Object.fromEntries(named) }
}

try {
  const chosen = chosenStages(process.argv.slice(2))
  for (const [i, stage] of chosen.entries()) {
    const environment = await environmentOf(stage)
    if (interruptedBy) break
    const outcome = await runStage(stage, environment)
    total = sum(total, outcome.tally)
    failures.push(...outcome.failures)
    if (chosen.slice(i + 1).some(({ onEngines }) => onEngines)) continue
    await engines?.stop()
    engines = undefined
  }
} finally {
  await engines?.stop()
}
for (const failure of failures) process.stdout.write(`\nfailed: ${failure}\n`)
process.stdout.write(`\n${lineOf(total)}\n`)
process.exitCode = !interruptedBy && total.failed === 0 && total.passed > 0 ? 0 : 1
