import { type AuditPortal, startAuditPortal } from './audit-portal.ts'
import type { Row } from './row.ts'
import { audits } from './rows.ts'
import type { Scale } from './scale.ts'

type Options = {
  readonly scale: Scale
  readonly seed: number
  readonly only?: readonly string[] | undefined
  say(line: string): void
}

const secondsSince = (startedAtMs: number): string => `${((performance.now() - startedAtMs) / 1_000).toFixed(0)} s`

const chosenOf = ({ only }: Options) => Object.entries(audits).filter(([name]) => only?.includes(name) ?? true)

const runRow = async (
  [name, audit]: ReturnType<typeof chosenOf>[number],
  portal: AuditPortal,
  { scale, seed, say }: Options,
): Promise<Row> => {
  const startedAtMs = performance.now()
  const row = await audit({ portal, scale, seed })
  const ended = portal.ended()
  say(`${name}: ${secondsSince(startedAtMs)}`)
  return ended === undefined ? row : { ...row, failures: [...row.failures, ended] }
}

const onPortal = async <T>({ learners }: Scale, run: (portal: AuditPortal) => Promise<T>): Promise<T> => {
  const portal = await startAuditPortal(learners)
  try {
    return await run(portal)
  } finally {
    await portal.stop()
  }
}

/** Runs the rows, each on a portal of its own: none meets what another has left or used up. */
export const runAudit = async (options: Options): Promise<readonly Row[]> => {
  const rows: Row[] = []
  for (const chosen of chosenOf(options))
    rows.push(await onPortal(options.scale, (portal) => runRow(chosen, portal, options)))
  return rows
}

/** Runs the rows one after the other on one portal, which is quicker. Small runs stay below every limit. */
export const runAuditOnOnePortal = (options: Options): Promise<readonly Row[]> =>
  onPortal(options.scale, async (portal) => {
    const rows: Row[] = []
    for (const chosen of chosenOf(options)) rows.push(await runRow(chosen, portal, options))
    return rows
  })
