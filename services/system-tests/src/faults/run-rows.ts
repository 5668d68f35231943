import { audienceSize, gatherAudience, socketsOfEach } from './audience.ts'
import { NotRunHereError } from './clock-and-volume.ts'
import { newRecord } from './load.ts'
import { startOnePortal } from './one-portal.ts'
import type { Row, Trial } from './row.ts'
import type { Measured } from './measured.ts'
import { type Pace, runTrial, type Say } from './run-trial.ts'
import { startSixPortal } from './six-portal.ts'
import type { TestedPortal } from './tested-portal.ts'

/** The row's two steps, for the portal that was started for it. */
const faultOf = <P extends TestedPortal>(
  row: { readonly inject: (portal: P, trial: Trial) => Promise<void>; readonly heal: typeof row.inject },
  portal: P,
) => ({
  inject: (trial: Trial) => row.inject(portal, trial),
  heal: (trial: Trial) => row.heal(portal, trial),
})

/** A portal for all of these rows, and a way to make the fault of each. */
const startFor = async (rows: readonly [Row, ...Row[]]) => {
  const [{ where, crowdSockets = 0, volumeMb, needsClock }] = rows
  const options = { learners: audienceSize + crowdSockets / socketsOfEach, volumeMb, needsClock }
  if (where === 'six') {
    const portal = await startSixPortal(options)
    return { portal, faults: rows.flatMap((row) => (row.where === 'six' ? { row, ...faultOf(row, portal) } : [])) }
  }
  const portal = await startOnePortal(options)
  return { portal, faults: rows.flatMap((row) => (row.where === 'one' ? { row, ...faultOf(row, portal) } : [])) }
}

const failed = ({ name, title, where }: Row, error: unknown): Measured => ({
  name,
  title,
  where,
  ...(error instanceof NotRunHereError
    ? { verdict: 'not run here', reason: error.message }
    : { verdict: 'failed', reason: `the trial could not be completed: ${String(error)}` }),
})

/** The rows, in groups that can be tried on the same portal. */
export const groupsOf = (rows: readonly Row[]): readonly [Row, ...Row[]][] => {
  const groups = new Map<string, [Row, ...Row[]]>()
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
 * Tries one fault after the other on one portal, which has what the first row asks for. It ends with a row that fails, as the
 * portal is no place for another one then. The signal ends it early, and the portal with it.
 */
export const runRows = async (options: {
  readonly rows: readonly [Row, ...Row[]]
  readonly pace: Pace
  readonly say: Say
  readonly signal?: AbortSignal | undefined
  readonly onResult?: (result: Measured) => void
  /** With everything that the portal has printed. */
  readonly onFailure?: (name: string, output: string) => void
}): Promise<readonly Measured[]> => {
  const { rows, pace, say, signal, onResult, onFailure } = options
  const measured: Measured[] = []
  try {
    const { portal, faults } = await startFor(rows)
    const { promise: aborted, reject } = Promise.withResolvers<never>()
    signal?.addEventListener('abort', () => reject(new Error('it was ended early')), { once: true })
    try {
      const audience = await gatherAudience(portal, rows[0].crowdSockets ?? 0)
      try {
        const record = newRecord()
        for (const fault of faults) {
          say(`${fault.row.name}: ${fault.row.title}`)
          const result = await Promise.race([runTrial({ ...fault, portal, audience, record, pace, say }), aborted])
          say(`${result.verdict}${result.reason === undefined ? '' : `: ${result.reason}`}`)
          measured.push(result)
          onResult?.(result)
          if (result.verdict !== 'failed') continue
          onFailure?.(result.name, portal.output())
          break
        }
      } finally {
        audience.close()
      }
    } finally {
      await portal.stop().catch((error: unknown) => say(`the portal did not stop in order: ${String(error)}`))
    }
  } catch (error) {
    const row = rows[measured.length]
    if (row) {
      const result = failed(row, error)
      say(`${row.name} ${result.verdict}: ${result.reason}`)
      measured.push(result)
      onResult?.(result)
    }
  }
  return measured
}
