import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type EnginesForTests, enginesForTests, testSettingOf } from '@portal/engines/test-engines'
import { engineKinds } from '@portal/engines/engine-kinds'
import { type Part, parts, type Stage, stagesOf } from './circles.ts'
import {
  type Failure,
  afterSecondRun,
  failureLine,
  lineOf,
  noTests,
  slowestFiles,
  sum,
  unstableLine,
} from './report.ts'
import { isInterrupted, resultsFolder, runStage, type StageResult } from './run-stage.ts'
import { useTempFolder } from './temp-folder.ts'

/**
 * `make test` and its parts; `make verify` sets CIRCLE=verify. The last line is the count. Writes test-results/unstable.json: tests
 * that failed and then passed alone.
 */
const circle = process.env['CIRCLE'] === 'verify' ? 'verify' : 'test'
const isPart = (name: string): name is Part => parts.some((part) => part === name)

/** More failed files are a broken commit: to run them again would only take time. */
const mostFilesAgain = 10

let engines: EnginesForTests | undefined
const environmentOf = async ({ onEngines }: Stage): Promise<NodeJS.ProcessEnv> => {
  const environment = circle === 'verify' ? { ...process.env, RANDOM_SEEDS: '1' } : process.env
  if (!onEngines) return environment
  // After a failure, the stage tries to start engines itself, and fails if it cannot.
  engines ??= await enginesForTests(process.env).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
    return undefined
  })
  const urls = engines?.urls ?? {}
  const named = engineKinds.flatMap((kind) => (urls[kind] ? [[testSettingOf[kind], urls[kind]]] : []))
  return { ...environment, ...Object.fromEntries(named) }
}

type Outcome = { readonly stage: Stage; readonly result: StageResult; readonly unstable: readonly Failure[] }

const firstRun = async (stage: Stage): Promise<Outcome> => {
  const result = await runStage({ stage, circle, environment: await environmentOf(stage) })
  return { stage, result, unstable: [] }
}

/** Failed files of real processes, engines and browsers, once more and alone. A journey then keeps a trace. */
const secondRun = async (outcome: Outcome): Promise<Outcome> => {
  const { stage, result } = outcome
  const files = [...new Set(result.failures.map(({ file }) => file))]
  if (!stage.secondChance || files.length === 0 || files.length > mostFilesAgain || isInterrupted()) return outcome
  process.stdout.write(`\nOnce more, alone: ${files.join(', ')}\n`)
  const environment = { ...(await environmentOf(stage)), TRACE: '1' }
  const again = await runStage({ stage, circle, environment, files })
  // Nothing is known of a second run without a report, or with an error outside of its tests.
  if (again.report === undefined || again.tally.failed > again.failures.length) return outcome
  const { tally, failures, unstable } = afterSecondRun(result.tally, result.failures, again.failures)
  return { stage, result: { ...result, tally, failures }, unstable }
}

const summarize = (outcomes: readonly Outcome[]): readonly string[] => {
  const files = outcomes.flatMap(({ result }) => slowestFiles(result.report, process.cwd()))
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10)
  return [
    ...outcomes.map(
      ({ stage, result }) => `${stage.projects.join(', ')}: ${Math.round(result.seconds)} s, ${lineOf(result.tally)}`,
    ),
    'slowest files:',
    ...slowest.map(({ file, seconds }) => `  ${seconds.toFixed(1)} s  ${file}`),
  ]
}

mkdirSync(resultsFolder, { recursive: true })
useTempFolder()
const outcomes: Outcome[] = []
try {
  const first: Outcome[] = []
  for (const stage of stagesOf(circle, process.argv.slice(2).filter(isPart))) {
    if (isInterrupted()) break
    first.push(await firstRun(stage))
  }
  for (const outcome of first) outcomes.push(await secondRun(outcome))
} finally {
  await engines?.stop()
}
const total = outcomes.reduce((tally, { result }) => sum(tally, result.tally), noTests)
const failures = outcomes.flatMap(({ result }) => result.failures)
const unstable = outcomes.flatMap((outcome) => outcome.unstable)
writeFileSync(join(resultsFolder, 'unstable.json'), `${JSON.stringify(unstable, null, 2)}\n`)
writeFileSync(
  join(resultsFolder, 'stages.json'),
  `${JSON.stringify(
    outcomes.map(({ stage: { projects }, result: { seconds, tally } }) => ({ projects, seconds, ...tally })),
    null,
    2,
  )}\n`,
)
const verdict = [
  ...failures.map((failure) => `failed: ${failureLine(failure)}`),
  ...unstable.map((failure) => `unstable: ${unstableLine(failure)}`),
]
for (const line of [...summarize(outcomes), ...verdict]) process.stdout.write(`\n${line}`)
// The page of a run in the workflow.
const summaryPath = process.env['GITHUB_STEP_SUMMARY']
if (summaryPath) appendFileSync(summaryPath, [...verdict, lineOf(total), ''].map((line) => `${line}\n\n`).join(''))
process.stdout.write(`\n\n${lineOf(total)}\n`)
process.exitCode = !isInterrupted() && total.failed === 0 && total.passed > 0 ? 0 : 1
