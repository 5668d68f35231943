import { setTimeout as pause } from 'node:timers/promises'
import type { TestUsers } from './test-users.ts'
import { type CheckResult, checkPortal, isClean, type Rewind } from './check.ts'
import { lastLineOf, measure, type Measurement, type Repair, secondsSince } from './measurement.ts'
import { type AnswerRecord, dropRecords, type Load, startLoad } from './load.ts'
import type { Scenario, ScenarioOptions, Trial } from './scenario.ts'
import { runMake, type PortalUnderTest } from './portal-under-test.ts'
import { type HealthWatch, watchHealth } from './watch-health.ts'

export type Report = (line: string) => void

/** Duration of sends before and after a fault, and how long all processes must stay healthy. */
export type Pace = { readonly warmUpMs: number; readonly coolDownMs: number; readonly steadyMs: number }
const wellWithinMs = 75_000
const convergeWithinMs = 60_000
const statusWithinMs = 15_000
const maxRepairs = 4
const keptOutput = 2_000

/** Returns the final result of `make status`, with retries, because a busy machine may time out at first. */
const statusOf = async (portal: PortalUnderTest) => {
  const deadline = Date.now() + statusWithinMs
  for (;;) {
    const status = await runMake(portal, 'make status')
    if (status.code === 0 || Date.now() > deadline) return status
    await pause(2_000)
  }
}

/**
 * Runs the commands that /health names until every process has been healthy for a while. Returns false if that fails.
 */
const waitUntilHealthy = async (options: {
  readonly portal: PortalUnderTest
  readonly health: HealthWatch
  readonly repairs: Repair[]
  readonly steadyMs: number
  readonly report: Report
}): Promise<boolean> => {
  const { portal, health, repairs, steadyMs, report } = options
  let deadline = Date.now() + wellWithinMs
  let wellSinceMs: number | undefined
  while (Date.now() < deadline) {
    await pause(200)
    if (health.complaints().length === 0) {
      wellSinceMs ??= Date.now()
      if (Date.now() - wellSinceMs > steadyMs) return true
      continue
    }
    wellSinceMs = undefined
    if (health.commands().length === 0 || repairs.length >= maxRepairs) continue
    // Other processes may be about to report the same.
    await pause(2_000)
    for (const command of health.commands()) {
      report(`health names: ${command}`)
      const { code, seconds, output } = await runMake(portal, command)
      report(`${command}: exit ${code} after ${seconds.toFixed(1)} s, ${lastLineOf(output)}`)
      repairs.push({ command, code, seconds, output: output.slice(-keptOutput) })
      await portal.startAgain()
    }
    deadline = Date.now() + wellWithinMs
    await pause(1_000)
  }
  return false
}

/** Records when the first send is answered again, and when all visible tabs show it. */
const watchRecovery = (load: Load, testUsers: TestUsers, healedMs: number) => {
  const seen: { answerSeconds?: number; liveSeconds?: number } = {}
  const timer = setInterval(() => {
    const first = load.answered.find(({ atMs }) => atMs > healedMs)
    if (!first || seen.liveSeconds !== undefined) return
    seen.answerSeconds = secondsSince(healedMs, first.atMs)
    const visible = testUsers.learners.slice(0, 3).flatMap(({ tabs }) => tabs)
    if (visible.every((tab) => tab.items().some(({ _id }) => _id === first.id)))
      seen.liveSeconds = secondsSince(healedMs)
  }, 100)
  return { seen, stop: () => clearInterval(timer) }
}

/** Repeats the check until every guarantee holds. Returns the last result. */
const converge = async (
  check: () => Promise<CheckResult>,
  withinMs: number,
): Promise<{ checked?: CheckResult; error?: unknown }> => {
  const deadline = Date.now() + withinMs
  for (;;) {
    const last = await check().then(
      (checked) => ({ checked }),
      (error: unknown) => ({ error }),
    )
    if (('checked' in last && isClean(last.checked.findings)) || Date.now() > deadline) return last
    await pause(1_000)
  }
}

type TrialOptions = {
  readonly row: ScenarioOptions & { readonly where: Scenario['where'] }
  readonly inject: (trial: Trial) => Promise<void>
  readonly heal: (trial: Trial) => Promise<void>
  readonly portal: PortalUnderTest
  readonly testUsers: TestUsers
  /** Requests of earlier trials on the same portal; this trial adds its own. */
  readonly record: AnswerRecord
  readonly pace: Pace
  readonly report: Report
}

/** Creates the callbacks and collects what the scenario reports. */
const createTrial = (load: Load) => {
  const notes: string[] = []
  let rewind: Rewind | undefined
  const trial: Trial = {
    copyTaken: () => {
      rewind = { fromMs: Date.now(), toMs: Infinity }
    },
    wentBack: () => {
      if (rewind) rewind = { ...rewind, toMs: Date.now() }
    },
    pauseSends: load.pause,
    resumeSends: load.resume,
    note: (text) => void notes.push(text),
  }
  return { trial, notes, rewind: () => rewind }
}

/** Runs the repairs that /health names, stops the load, and checks until every guarantee holds. */
const repairAndCheck = async (
  { portal, testUsers, pace, report }: TrialOptions,
  { health, load, rewind }: { readonly health: HealthWatch; readonly load: Load; readonly rewind: Rewind | undefined },
) => {
  const repairs: Repair[] = []
  const wait = { portal, health, repairs, steadyMs: pace.steadyMs, report }
  let isPortalWell = await waitUntilHealthy(wait)
  await pause(pace.coolDownMs)
  await load.stop()
  testUsers.keepTabsConnected()
  const check = () => checkPortal({ portal, testUsers, load, rewind })
  let last = await converge(check, isPortalWell ? convergeWithinMs : 0)
  if (health.commands().length > 0 && repairs.length < maxRepairs) {
    isPortalWell = await waitUntilHealthy(wait)
    last = await converge(check, convergeWithinMs)
  }
  return { repairs, isPortalWell, ...last }
}

/**
 * Runs one fault on a running portal. Measures what was lost or duplicated, what /health reported, and how it was
 * repaired.
 */
export const runTrial = async (options: TrialOptions): Promise<Measurement> => {
  const { row, inject, heal, portal, testUsers, record, pace, report } = options
  const earlier = record.answered.length
  const health = watchHealth(portal)
  const { address } = portal
  const load = startLoad({ address, testUsers, name: row.name, sendPauseMs: row.sendPauseMs ?? 250, record })
  const { trial, notes, rewind } = createTrial(load)
  testUsers.resumeTabChurn()
  try {
    await pause(pace.warmUpMs)
    const injectedMs = Date.now()
    report(`the fault begins, ${load.answered.length} sends are answered`)
    await inject(trial)
    await heal(trial)
    const healedMs = Date.now()
    report(`the fault is over after ${secondsSince(injectedMs)} s, ${load.answered.length} sends are answered`)
    const recovery = watchRecovery(load, testUsers, healedMs)
    const { repairs, isPortalWell, checked, error } = await repairAndCheck(options, { health, load, rewind: rewind() })
    recovery.stop()
    const status = await statusOf(portal)
    await health.stop()
    const measured = measure({
      row,
      health: health.changes,
      complaints: isPortalWell ? [] : health.complaints(),
      checked,
      error,
      answered: load.answered.length - earlier,
      unanswered: load.unanswered(),
      failures: load.failures,
      repairs,
      injectedMs,
      healedMs,
      recovery: recovery.seen,
      status,
      notes,
    })
    if (checked) dropRecords(record, checked.goneWithTheLog)
    return measured
  } finally {
    await load.stop()
    await health.stop()
  }
}
