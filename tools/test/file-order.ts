import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that run longer than twenty seconds, although some are small. */
const longFiles =
  /\/(accessibility-[^/]+|campaign-distributed|backup-drill|older-event-store|audit|eventstoredb\.engine|consumer\.engine)\.test\.ts$/

/** Undefined is the usual order; `reverse` turns it round; anything else is the seed of a random one. */
export type Order = string | undefined

const digest = (text: string): string => createHash('sha256').update(text).digest('hex')

/** What decides where a file runs. */
type FileTraits = { readonly project: string; readonly path: string; readonly size: number }

const compare = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * Project by project: vitest ends a worker when its next file belongs to another project, and the new worker loads all modules
 * again. Within a project, long files come first, so that none runs alone at the end; then by size. The order depends on the files alone: vitest's own follows the
 * durations of the run before, so that files would meet in a worker that have never met.
 */
export const inOrder = <T>(files: readonly T[], order: Order, of: (file: T) => FileTraits): T[] => {
  const rank = ({ path, size }: FileTraits): string | number => {
    if (order !== undefined && order !== 'reverse') return digest(order + path)
    return longFiles.test(path) ? -Infinity : -size
  }
  const ranked = files.map((file) => ({ file, traits: of(file), rank: rank(of(file)) }))
  ranked.sort(
    (a, b) =>
      compare(a.traits.project, b.traits.project) || compare(a.rank, b.rank) || compare(a.traits.path, b.traits.path),
  )
  const sorted = ranked.map(({ file }) => file)
  return order === 'reverse' ? sorted.toReversed() : sorted
}

/** `ORDER=reverse` or a seed runs the files in another order: each starts from the same state, whatever ran before. */
export class FileOrder extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const traitsOf = ({ project, moduleId }: TestSpecification): FileTraits => ({
      project: project.name,
      path: moduleId,
      size: statSync(moduleId).size,
    })
    return Promise.resolve(inOrder(files, process.env['ORDER'] || undefined, traitsOf))
  }
}
