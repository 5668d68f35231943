import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { provideBrowser } from './test-run/browser.ts'
import { provideEngines } from './test-run/engines.ts'
import { failuresOf, lineOf, noTests, sum, type Tally, tallyOf } from './test-run/report.ts'

type Stage = {
  readonly projects: readonly string[]
  readonly workers: string
  /** Files share their worker and its modules, which are loaded once, as in `make check`. */
  readonly shareWorkers?: true
}

/**
 * What `make test` runs. One stage after the other: system and e2e start processes and measure themselves against a clock, so
 * they want the machine to themselves. Engines mostly wait for a time-out, journeys for a redirect or a banner's end: several
 * at once do not hurry each other. The last line printed is the count.
 */
const stages: readonly Stage[] = [
  { projects: ['backend', 'web'], workers: '100%', shareWorkers: true },
  { projects: ['engines'], workers: '4' },
  { projects: ['system'], workers: '100%' },
  { projects: ['e2e'], workers: '100%' },
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
  const [exitCode]: (number | null)[] = await once(child, 'exit')
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
for (const stage of stages) {
  const outcome = await runStage(stage, browser ? { ...process.env, CHROMIUM_PATH: browser } : process.env)
  total = sum(total, outcome.tally)
  failures.push(...outcome.failures)
}
for (const failure of failures) process.stdout.write(`\nfailed: ${failure}\n`)
process.stdout.write(`\n${lineOf(total)}\n`)
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1
