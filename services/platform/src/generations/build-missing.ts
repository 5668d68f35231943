import { setTimeout as delay } from 'node:timers/promises'
import { createRelay, requirePublishers } from '../bus/relay.ts'
import { projectionKey } from '../read-model/projection-key.ts'
import type { Projection } from '../projection/projection.ts'
import { cutOver, type Replacement } from './cutover.ts'
import { isBuilt } from './generations.ts'
import type { ReadModels } from './read-models.ts'
import { ReplayLockLostError, ReplayRunningError } from './replay-lock.ts'
import { openRebuildTarget } from './rebuild-target.ts'
import { generationName } from './replay.ts'
import { type ReplayPorts, runWithReplayLock } from './run-with-replay-lock.ts'

const pollEveryMs = 100

type BuildOptions = {
  readonly projections: readonly Projection[]
  readonly readModels: Pick<ReadModels, 'isBuilt'>
  /** Distinguishes the namespaces; like '20261121t140102'. */
  readonly stamp: string
}

/** Does nothing if another process has built them meanwhile. */
const buildOnce = (ports: ReplayPorts, { projections, stamp }: BuildOptions): Promise<void> =>
  runWithReplayLock(ports, async (lock, opened) => {
    const missing = projections.filter((projection) => !isBuilt(lock.generations(), projectionKey(projection)))
    if (missing.length === 0) return
    const names = missing.map((projection) => generationName(projection, stamp))
    ports.logger.info({ generations: names }, 'building read models of new versions from the log')
    await lock.change({ droppable: [...lock.generations().droppable, ...names] })
    const replacements: Replacement[] = []
    for (const projection of missing) {
      const name = generationName(projection, stamp)
      const target = await openRebuildTarget(projection, name, await opened.open(name), ports.logger)
      replacements.push({ target, replaced: undefined, isRepair: false })
    }
    const relay = createRelay(ports.publishers)
    await cutOver({ ...ports, relay, replacements, lock, from: 'start', signal: lock.lost })
    ports.logger.info({ generations: names }, 'read models of new versions are active')
  })

const isOtherRun = (error: unknown): boolean =>
  error instanceof ReplayRunningError || error instanceof ReplayLockLostError

/**
 * Builds the read models of new projection versions before they serve, so that no release serves data that another version wrote. One
 * process builds, the others wait. Resolves when all are active in this process.
 */
export const buildMissing = async (ports: ReplayPorts, options: BuildOptions): Promise<void> => {
  const { projections, readModels } = options
  for (const { name: reader, topics } of projections) requirePublishers(ports.publishers, { reader, topics })
  while (projections.some((projection) => !readModels.isBuilt(projection))) {
    try {
      await buildOnce(ports, options)
    } catch (error) {
      if (!isOtherRun(error)) throw error
    }
    await delay(pollEveryMs)
  }
}
