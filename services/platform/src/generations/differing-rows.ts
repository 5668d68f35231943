import type { Relay } from '../bus/relay.ts'
import type { PartitionRows } from '../read-model/port.ts'
import { type Difference, heldBackBy } from './baseline-check.ts'
import type { ReplacedGeneration } from './cutover.ts'
import { applyLog, type RebuildTarget } from './rebuild-target.ts'
import type { ReplayPorts } from './run-with-replay-lock.ts'

/** Bounds the memory. Of further partitions, no rows are named. */
const maxRows = 1_000_000

type Differing = {
  readonly target: RebuildTarget
  readonly replaced: ReplacedGeneration
  readonly differences: readonly Difference[]
}

type Options = Pick<ReplayPorts, 'log'> & {
  readonly relay: Relay
  /** The target holds every earlier message. */
  readonly from: Parameters<typeof applyLog>[0]['after']
  readonly signal: AbortSignal
}

export type DifferingRows = {
  /** As in read-model/row-names.ts. */
  readonly names: readonly string[]
  /** The number of partitions that differ and whose rows were not read. */
  readonly unreadPartitions: number
}

const namesOfDifferent = (a: PartitionRows['rows'], b: PartitionRows['rows']): readonly string[] =>
  [...new Set([...a.keys(), ...b.keys()])].filter((name) => a.get(name) !== b.get(name))

/**
 * Names the rows in which a rejected generation differs from the active one. The active one has changed since the comparison, so
 * the rejected one first follows it to its position.
 */
export const findDifferingRows = async (
  { target, replaced, differences }: Differing,
  { log, relay, from, signal }: Options,
): Promise<DifferingRows> => {
  const { projection, readModel } = target
  const active = new Map<string, PartitionRows>()
  let rows = 0
  for (const { partition } of differences) {
    if (rows > maxRows || replaced.readModel === undefined) break
    signal.throwIfAborted()
    const found = await replaced.readModel.rows(projection.name, partition)
    active.set(partition, found)
    rows += found.rows.size
  }
  target.baseline = { holdsBack: heldBackBy(active) }
  const until = await log.end()
  await applyLog({ log, relay, targets: [target], after: from, until, signal })
  await target.flush()
  const names: string[] = []
  for (const [partition, { rows: before }] of active) {
    signal.throwIfAborted()
    const { rows: after } = await readModel.rows(projection.name, partition)
    names.push(...namesOfDifferent(before, after))
  }
  return { names, unreadPartitions: differences.length - active.size }
}
