import type { ScavengeProgress } from '@portal/platform/operations/scavenge/scavenge-event-store'
import { counted, duration } from '../output/format.ts'

export type Scavenged = {
  readonly at: string
  readonly nodes: readonly string[]
  /** Erased keys that were on the disk before, and those that still are: of users who were erased meanwhile. */
  readonly erasedKeys: number
  readonly left: number
  readonly tookMs: number
}

export const scavengedText = ({ at, nodes, erasedKeys, left, tookMs }: Scavenged): string => {
  const gone = counted(Math.max(0, erasedKeys - left), 'erased key')
  const where = nodes.length > 1 ? ` on ${nodes.length} nodes` : ''
  const rest = left === 0 ? '' : ` ${counted(left, 'key')} erased since then: run make scavenge again.`
  return `Scavenged ${at}${where} in ${duration(tookMs)}: ${gone} removed from disk.${rest}`
}

export const scavengeProgressText = ({ node, steps }: ScavengeProgress): string =>
  `scavenging ${node}, ${counted(steps, 'step')} done`
