import { startAuditPortal } from './audit-portal.ts'
import type { Row } from './row.ts'
import { audits } from './rows.ts'
import type { Scale } from './scale.ts'

/** Runs the rows, each on a portal of its own, so that none meets the limits that another has used up. */
export const runAudit = async (options: {
  readonly scale: Scale
  readonly seed: number
  readonly only?: readonly string[] | undefined
  say(line: string): void
}): Promise<readonly Row[]> => {
  const { scale, seed, only, say } = options
  const rows: Row[] = []
  for (const [name, audit] of Object.entries(audits)) {
    if (only && !only.includes(name)) continue
    const startedAtMs = performance.now()
    const portal = await startAuditPortal(scale.learners)
    try {
      const row = await audit({ portal, scale, seed })
      const ended = portal.ended()
      rows.push(ended === undefined ? row : { ...row, failures: [...row.failures, ended] })
    } finally {
      await portal.stop()
    }
    say(`${name}: ${((performance.now() - startedAtMs) / 1_000).toFixed(0)} s`)
  }
  return rows
}
