import { testLearnerCount, createTestUsers, socketsPerLearner } from './test-users.ts'
import { NotRunHereError } from './clock-and-volume.ts'
import { newRecord } from './load.ts'
import { startStandalonePortal } from './standalone-portal.ts'
import type { Scenario, Trial } from './scenario.ts'
import type { Measurement } from './measurement.ts'
import { type Pace, runTrial, type Report } from './run-trial.ts'
import { startSixProcessPortal } from './six-process-portal.ts'
import type { PortalUnderTest } from './portal-under-test.ts'

/** Binds the steps of the scenario to the portal. */
const faultOf = <P extends PortalUnderTest>(
  row: { readonly inject: (portal: P, trial: Trial) => Promise<void>; readonly heal: typeof row.inject },
  portal: P,
) => ({
  inject: (trial: Trial) => row.inject(portal, trial),
  heal: (trial: Trial) => row.heal(portal, trial),
})

/** Starts a portal for all of these scenarios and binds their faults. */
const startFor = async (rows: readonly [Scenario, ...Scenario[]]) => {
  const [{ where, crowdSockets = 0, volumeMb, needsClock }] = rows
  const options = { learners: testLearnerCount + crowdSockets / socketsPerLearner, volumeMb, needsClock }
  if (where === 'six') {
    const portal = await startSixProcessPortal(options)
    return { portal, faults: rows.flatMap((row) => (row.where === 'six' ? { row, ...faultOf(row, portal) } : [])) }
  }
  const portal = await startStandalonePortal(options)
  return { portal, faults: rows.flatMap((row) => (row.where === 'one' ? { row, ...faultOf(row, portal) } : [])) }
}

const failed = ({ name, title, where }: Scenario, error: unknown): Measurement => ({
  name,
  title,
  where,
  ...(error instanceof NotRunHereError
    ? { verdict: 'not run here', reason: error.message }
    : { verdict: 'failed', reason: `the trial could not be completed: ${String(error)}` }),
})

/** Groups scenarios that can share a portal. */
export const groupByPortal = (rows: readonly Scenario[]): readonly [Scenario, ...Scenario[]][] => {
  const groups = new Map<string, [Scenario, ...Scenario[]]>()
  for (const row of rows) {
    const { where, crowdSockets, volumeMb, needsClock } = row
    const key = JSON.stringify([where, crowdSockets, volumeMb, needsClock])
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  return [...groups.values()]
}

/**
 * Runs one scenario after the other on one portal, with the options of the first. Stops after a failure, because the
 * portal may be damaged. The signal aborts the run and stops the portal.
 */
export const runScenarios = async (options: {
  readonly rows: readonly [Scenario, ...Scenario[]]
  readonly pace: Pace
  readonly report: Report
  readonly signal?: AbortSignal | undefined
  readonly onResult?: (result: Measurement) => void
  /** Gets the whole output of the portal. */
  readonly onFailure?: (name: string, output: string) => void
}): Promise<readonly Measurement[]> => {
  const { rows, pace, report, signal, onResult, onFailure } = options
  const measured: Measurement[] = []
  try {
    const { portal, faults } = await startFor(rows)
    const { promise: aborted, reject } = Promise.withResolvers<never>()
    signal?.addEventListener('abort', () => reject(new Error('it was ended early')), { once: true })
    try {
      const testUsers = await createTestUsers(portal, rows[0].crowdSockets ?? 0)
      try {
        const record = newRecord()
        for (const fault of faults) {
          report(`${fault.row.name}: ${fault.row.title}`)
          const result = await Promise.race([runTrial({ ...fault, portal, testUsers, record, pace, report }), aborted])
          report(`${result.verdict}${result.reason === undefined ? '' : `: ${result.reason}`}`)
          measured.push(result)
          onResult?.(result)
          if (result.verdict !== 'failed') continue
          onFailure?.(result.name, portal.output())
          break
        }
      } finally {
        testUsers.close()
      }
    } finally {
      await portal.stop().catch((error: unknown) => report(`the portal did not stop in order: ${String(error)}`))
    }
  } catch (error) {
    const row = rows[measured.length]
    if (row) {
      const result = failed(row, error)
      report(`${row.name} ${result.verdict}: ${result.reason}`)
      measured.push(result)
      onResult?.(result)
    }
  }
  return measured
}
