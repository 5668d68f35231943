import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Circle, Stage } from './circles.ts'
import { type Failure, failuresOf, type Tally, tallyOf } from './report.ts'

export const resultsFolder = 'test-results'

export type StageResult = {
  readonly tally: Tally
  readonly failures: readonly Failure[]
  readonly report: unknown
  readonly seconds: number
}

const readReport = (path: string): unknown => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined // the run ended without a report; tallyOf counts that as a failure
  }
}

let running: ChildProcess | undefined
/** The first signal lets running tests end. The second exits immediately. */
let interruptedBy: NodeJS.Signals | undefined
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    if (interruptedBy) process.exit(1)
    interruptedBy = signal
    running?.kill(signal)
  })

export const isInterrupted = (): boolean => interruptedBy !== undefined

const nameOf = ({ projects }: Stage): string => projects.join('-')

const tagsOf = ({ inTest }: Stage, circle: Circle): Stage['inTest'] => (circle === 'verify' ? undefined : inTest)

type Run = {
  readonly stage: Stage
  readonly circle: Circle
  readonly environment: NodeJS.ProcessEnv
  /** Runs only these files, one at a time; all of the stage without them. */
  readonly files?: readonly string[]
}

/** Runs vitest once, and reads its report. */
export const runStage = async ({ stage, circle, environment, files }: Run): Promise<StageResult> => {
  const reportPath = join(resultsFolder, `${nameOf(stage)}${files ? '-again' : ''}.json`)
  rmSync(reportPath, { force: true })
  const tags = tagsOf(stage, circle)
  const startedAt = performance.now()
  const child = spawn(
    process.execPath,
    [
      // Needed for timers of kafkajs; see its issue 1751.
      '--disable-warning=TimeoutNegativeWarning',
      'node_modules/vitest/vitest.mjs',
      'run',
      ...stage.projects.flatMap((project) => ['--project', project]),
      `--maxWorkers=${files ? '1' : stage.workers}`,
      ...(stage.shareWorkers ? ['--no-isolate'] : []),
      ...(tags ? [`--tagsFilter=${tags}`] : []),
      '--silent=passed-only',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${reportPath}`,
      ...(files ?? []),
    ],
    { stdio: 'inherit', env: { ...environment, TAGS: tags } },
  )
  running = child
  const [exitCode]: (number | null)[] = await once(child, 'exit')
  running = undefined
  const report = readReport(reportPath)
  return {
    tally: tallyOf(report, exitCode ?? null),
    failures: failuresOf(report, process.cwd()),
    report,
    seconds: (performance.now() - startedAt) / 1000,
  }
}
