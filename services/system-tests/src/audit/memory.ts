import type { AuditPortal } from './audit-portal.ts'
import type { Failures } from './row.ts'

const mib = 1024 * 1024
/** What the heap may have grown by between the warm-up and the end, garbage collected: a fifth, and 16 MiB for caches. */
const tolerance = { factor: 1.2, extraBytes: 16 * mib }

const settleMs = 2_000

export const memoryTolerance = `heap after garbage collection at most ${tolerance.factor} × its level after the warm-up + ${tolerance.extraBytes / mib} MiB`

/** Runs `work` twice, as warm-up and in earnest, and says how the heap's level changed in the second run. */
export const heapKeepsItsLevel = async (
  portal: AuditPortal,
  failures: Failures,
  work: { readonly warmUp: () => Promise<void>; readonly inEarnest: () => Promise<void> },
): Promise<string> => {
  await work.warmUp()
  await new Promise((resolve) => setTimeout(resolve, settleMs))
  const before = await portal.heapBytes()
  await work.inEarnest()
  await new Promise((resolve) => setTimeout(resolve, settleMs))
  const after = await portal.heapBytes()
  const found = `heap ${Math.round(before / mib)} → ${Math.round(after / mib)} MiB`
  if (after > before * tolerance.factor + tolerance.extraBytes)
    failures.add(`memory did not return to its level: ${found}`)
  return found
}
