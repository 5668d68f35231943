import { createRelay } from '../bus/relay.ts'
import { createDiscontinuityStore, projectionConsumer, wholeLog } from '../discontinuity/discontinuity.ts'
import { projectionKey } from '../read-model/projection-key.ts'
import type { Projection } from '../projection/projection.ts'
import { projectionGroup } from './run-projection.ts'
import { generationOf } from './generations.ts'
import { cutOver, type CutoverStep, type ReplacedGeneration, type Replacement } from './cutover.ts'
import { type BuiltPosition, loadBuiltPosition, openRebuildTarget } from './rebuild-target.ts'
import { earliest, type Replayed } from './replay.ts'
import { OnlyAllTogetherError } from './repair.ts'
import { openReplaced, type ReplayPorts, runWithReplayLock } from './run-with-replay-lock.ts'

export class NothingToRollBackToError extends Error {
  override readonly name = 'NothingToGoBackToError'
  readonly isUserFacing = true
}

type RollbackOptions = ReplayPorts & {
  readonly projections: readonly Projection[]
  readonly signal: AbortSignal
  /** For tests. */
  onStep?(step: CutoverStep): Promise<void> | void
}

export type RolledBack = Pick<Replayed, 'projection' | 'generation' | 'previous' | 'isRepair'>

/** Makes the previous generations active again, after applying the rest of the log to them. The active ones become the previous ones. */
export const rollback = (options: RollbackOptions): Promise<readonly RolledBack[]> =>
  runWithReplayLock(options, async (lock, opened, control) => {
    const { projections, logger, publishers } = options
    const open = await createDiscontinuityStore(control).all()
    const isOpen = (name: string) => open.some(({ consumer }) => consumer === name)
    // The previous generations were built from the same log, which is gone.
    if (isOpen(wholeLog)) throw new OnlyAllTogetherError('a rollback')
    const signal = AbortSignal.any([options.signal, lock.lost])
    const known = lock.generations()
    const replacements: (Replacement & { readonly replaced: ReplacedGeneration; readonly isRepair: boolean })[] = []
    const positions: BuiltPosition[] = []
    for (const projection of projections) {
      const key = projectionKey(projection)
      const previous = known.serving[key]?.previous
      if (previous === undefined) continue
      const readModel = await opened.open(previous)
      const position = await loadBuiltPosition(readModel, projectionGroup(projection))
      if (position === undefined) {
        throw new NothingToRollBackToError(
          `The previous generation ${previous} no longer exists. Run: make replay P=${projection.name}`,
        )
      }
      await readModel.unfence()
      positions.push(position)
      replacements.push({
        target: await openRebuildTarget(projection, previous, readModel, logger),
        replaced: await openReplaced(generationOf(known, key), opened),
        isRepair: isOpen(projectionConsumer(key)),
      })
    }
    if (replacements.length === 0) throw new NothingToRollBackToError('There is no previous generation to go back to')
    const relay = createRelay(publishers)
    await cutOver({ ...options, relay, replacements, lock, from: earliest(positions), signal })
    const rolledBack = replacements.map(({ target }) => projectionConsumer(projectionKey(target.projection)))
    await createDiscontinuityStore(control).clear(rolledBack.filter(isOpen))
    return replacements.map(({ target, replaced, isRepair }) => ({
      projection: target.projection.name,
      generation: target.name,
      previous: replaced.name,
      isRepair,
    }))
  })
