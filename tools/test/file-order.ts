import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that run longer than twenty seconds, although some are small. */
const longFiles =
  /\/(accessibility-[^/]+|campaign-distributed|faults-distributed|operations-distributed|backup-drill|older-event-store|audit|data-lost\.engine|eventstoredb\.engine|consumer\.engine)\.test\.ts$/

/** Undefined is the usual order; `reverse` turns it round; anything else is the seed of a random one. */
export type Order = string | undefined

const digest = (text: string): string => createHash('sha256').update(text).digest('hex')

/**
 * Long files first, or one could run alone at the end; then by size. The order depends on the files alone: vitest's own
 * follows the durations of the run before, so that files would meet in a worker that have never met.
 */
export const inOrder = <T>(files: readonly T[], order: Order, of: (file: T) => { path: string; size: number }): T[] => {
  const rank = (file: T): readonly [string | number, string] => {
    const { path, size } = of(file)
    if (order !== undefined && order !== 'reverse') return [digest(order + path), path]
    return [longFiles.test(path) ? -Infinity : -size, path]
  }
  const ranked = files.map((file) => ({ file, rank: rank(file) }))
  ranked.sort((a, b) => {
    const [first, second] = a.rank[0] === b.rank[0] ? [a.rank[1], b.rank[1]] : [a.rank[0], b.rank[0]]
    return first < second ? -1 : 1
  })
  const sorted = ranked.map(({ file }) => file)
  return order === 'reverse' ? sorted.toReversed() : sorted
}

/** `ORDER=reverse` or a seed runs the files in another order: each starts from the same state, whatever ran before. */
export class FileOrder extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sizeOf = ({ moduleId }: TestSpecification) => ({ path: moduleId, size: statSync(moduleId).size })
    return Promise.resolve(inOrder(files, process.env['ORDER'] || undefined, sizeOf))
  }
}
