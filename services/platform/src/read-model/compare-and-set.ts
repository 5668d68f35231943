import { ReadModelFencedError } from './errors.ts'
import type { Checkpoints, Commit, ProjectionWriter, Write } from './port.ts'

const attemptsOnConflict = 20

/** Rejects for a fenced read model. */
export const commitUnlessFenced = async (
  readModel: Pick<ProjectionWriter, 'commit'>,
  commit: Commit,
): Promise<'committed' | 'conflict'> => {
  const outcome = await readModel.commit(commit)
  if (outcome === 'fenced') throw new ReadModelFencedError()
  return outcome
}

/**
 * Changes documents and lists that several processes change. `writesOf` gets the number of this change, which is also stored as the
 * position of `projection`. It is called again if another process was faster. It returns undefined to change nothing.
 */
export const compareAndSet = async (
  readModel: Pick<ProjectionWriter, 'commit'> & Pick<Checkpoints, 'position'>,
  { projection, partition }: Pick<Commit, 'projection' | 'partition'>,
  writesOf: (change: number) => Promise<readonly Write[] | undefined>,
): Promise<void> => {
  for (let attempt = 0; attempt < attemptsOnConflict; attempt++) {
    const expected = await readModel.position(projection, partition)
    const change = Number(expected ?? '0') + 1
    const writes = await writesOf(change)
    if (writes === undefined) return
    const position = String(change).padStart(12, '0')
    const commit = { projection, partition, expected, position, writes }
    if ((await commitUnlessFenced(readModel, commit)) === 'committed') return
  }
  throw new Error(`${projection} not changed: too many concurrent changes`)
}
