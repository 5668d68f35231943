import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type EnginesForTests, enginesForTests, testSettingOf } from '@portal/dev-cluster/engines/test-engines'
import { engineKinds } from './dev-engines/addresses.ts'
import { provideBrowser } from './test-run/browser.ts'
import { provideEngines } from './test-run/engines.ts'
import { failuresOf, lineOf, noTests, sum, type Tally, tallyOf } from './test-run/report.ts'

type Stage = {
  readonly projects: readonly string[]
  readonly workers: string
  /** Files share their worker and its modules, which are loaded once, as in `make check`. */
  readonly shareWorkers?: true
  /** Runs on engines, which are started before the first such stage and stopped after the last. */
  readonly onEngines?: true
}

/**
 * What `make test` runs. One stage after the other: system and e2e start processes and measure themselves against a clock, so
 * they want the machine to themselves. Engines mostly wait for a time-out, journeys for a redirect or a banner's end: several
 * at once do not hurry each other. The last line printed is the count.
 */
const stages: readonly Stage[] = [
  { projects: ['backend', 'web'], workers: '100%', shareWorkers: true },
  { projects: ['engines'], workers: '4', onEngines: true },
  { projects: ['system'], workers: '100%', onEngines: true },
  { projects: ['e2e'], workers: '100%', onEngines: true },
  { projects: ['journeys'], workers: '3' },
]
const resultsFolder = 'test-results'

const readReport = (path: string): unknown => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined // the run broke off before it could report; tallyOf counts that as a failure
  }
}

let running: ChildProcess | undefined
/** The first signal lets what runs come to its end, and the engines be stopped; the next one does not wait for that. */
let interruptedBy: NodeJS.Signals | undefined
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    if (interruptedBy) process.exit(1)
    interruptedBy = signal
    running?.kill(signal)
  })

type Outcome = { readonly tally: Tally; readonly failures: readonly string[] }

const runStage = async (
  { projects, workers, shareWorkers }: Stage,
  environment: NodeJS.ProcessEnv,
): Promise<Outcome> => {
  const reportPath = join(resultsFolder, `${projects.join('-')}.json`)
  rmSync(reportPath, { force: true })
  const child = spawn(
    process.execPath,
    [
      // kafkajs' timers; see its issue 1751.
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

/** What has to be there before anything runs. What cannot be had ends the run in one line, and counts as a failure. */
const provide = () => {
  try {
    provideEngines(process.env)
    return { browser: provideBrowser() }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n${lineOf({ passed: 0, failed: 1 })}\n`)
    process.exit(1)
  }
}

const { browser } = provide()
mkdirSync(resultsFolder, { recursive: true })
let total = noTests
const failures: string[] = []
let engines: EnginesForTests | undefined

const environmentOf = async ({ onEngines }: Stage): Promise<NodeJS.ProcessEnv> => {
  const environment = browser ? { ...process.env, CHROMIUM_PATH: browser } : process.env
  if (!onEngines) return environment
  // Where that fails, the stage tries for itself, and fails if it cannot run either.
  engines ??= await enginesForTests(process.env).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
    return undefined
  })
  const urls = engines?.urls ?? {}
  const named = engineKinds.flatMap((kind) => (urls[kind] ? [[testSettingOf[kind], urls[kind]]] : []))
  return { ...environment, ...Object.fromEntries(named) }
}

try {
  for (const [i, stage] of stages.entries()) {
    const environment = await environmentOf(stage)
    if (interruptedBy) break
    const outcome = await runStage(stage, environment)
    total = sum(total, outcome.tally)
    failures.push(...outcome.failures)
    if (stages.slice(i + 1).some(({ onEngines }) => onEngines)) continue
    await engines?.stop()
    engines = undefined
  }
} finally {
  await engines?.stop()
}
for (const failure of failures) process.stdout.write(`\nfailed: ${failure}\n`)
process.stdout.write(`\n${lineOf(total)}\n`)
process.exitCode = !interruptedBy && total.failed === 0 && total.passed > 0 ? 0 : 1
