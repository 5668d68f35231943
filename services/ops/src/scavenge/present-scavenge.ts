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

const quietMs = 2_000
const everyMs = { terminal: 200, otherwise: 2_000 } as const

type Output = { readonly isTTY?: boolean; write(text: string): unknown }

/** Shows progress of what takes longer than two seconds: JSON lines for programs, else one line that is written over. */
export const reportScavenge = (output: Output, isForPrograms: boolean, nowMs: () => number) => {
  const isTerminal = output.isTTY === true && !isForPrograms
  const pauseMs = isTerminal ? everyMs.terminal : everyMs.otherwise
  let lastMs = nowMs() + quietMs - pauseMs
  let isLineOpen = false
  return {
    onProgress: (progress: ScavengeProgress): void => {
      if (nowMs() - lastMs < pauseMs) return
      lastMs = nowMs()
      const text = `… scavenging ${progress.node}, ${counted(progress.steps, 'step')} done`
      if (isForPrograms) output.write(`${JSON.stringify(progress)}\n`)
      else output.write(isTerminal ? `\r\u001b[2K${text}` : `${text}\n`)
      isLineOpen = isTerminal
    },
    /** Leaves the terminal as it was. */
    end: (): void => {
      if (isLineOpen) output.write('\r\u001b[2K')
      isLineOpen = false
    },
  }
}
