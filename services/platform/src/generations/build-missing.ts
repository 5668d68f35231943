import { setTimeout as delay } from 'node:timers/promises'
import type { LogPosition } from '../bus/log-cursor.ts'
import { createRelay } from '../bus/relay.ts'
import { projectionKey } from '../read-model/projection-key.ts'
import type { Projection } from '../projection/projection.ts'
import { isBuilt } from './generations.ts'
import type { ReadModels } from './read-models.ts'
import { ReplayLockLostError, type HeldReplayLock, ReplayRunningError } from './replay-lock.ts'
import { applyLog, openRebuildTarget, type RebuildTarget, saveReached } from './rebuild-target.ts'
import { generationName } from './replay.ts'
import { type ReplayPorts, runWithReplayLock } from './run-with-replay-lock.ts'

const pollEveryMs = 100
/** The second pass reads the events appended during the first. The projection runner reads the rest. */
const passes = 2

type BuildOptions = {
  readonly projections: readonly Projection[]
  readonly readModels: Pick<ReadModels, 'isBuilt'>
  /** Distinguishes the namespaces; like '20261121t140102'. */
  readonly stamp: string
}

const readLog = async (
  targets: readonly RebuildTarget[],
  ports: ReplayPorts,
  signal: AbortSignal,
): Promise<LogPosition> => {
  const { log, publishers } = ports
  const relay = createRelay(publishers)
  let reached: LogPosition = 'start'
  for (let pass = 0; pass < passes; pass++) {
    reached = await applyLog({ log, relay, targets, after: reached, until: await log.end(), signal })
    for (const target of targets) await target.flush()
  }
  return reached
}

/** Makes the generations active in one step. No generation was active before, so none is compared or fenced. */
const register = async (targets: readonly RebuildTarget[], lock: HeldReplayLock): Promise<void> => {
  const { serving, droppable } = lock.generations()
  const built = targets.map(({ projection, name }) => [projectionKey(projection), { generation: name }] as const)
  await lock.change({
    serving: { ...serving, ...Object.fromEntries(built) },
    droppable: droppable.filter((name) => targets.every((target) => target.name !== name)),
  })
}

/** Does nothing if another process has built them meanwhile. */
const buildOnce = (ports: ReplayPorts, { projections, stamp }: BuildOptions): Promise<void> =>
  runWithReplayLock(ports, async (lock, opened) => {
    const missing = projections.filter((projection) => !isBuilt(lock.generations(), projectionKey(projection)))
    if (missing.length === 0) return
    const names = missing.map((projection) => generationName(projection, stamp))
    ports.logger.info({ generations: names }, 'building read models of new versions from the log')
    await lock.change({ droppable: [...lock.generations().droppable, ...names] })
    const targets: RebuildTarget[] = []
    for (const projection of missing) {
      const name = generationName(projection, stamp)
      targets.push(await openRebuildTarget(projection, name, await opened.open(name), ports.logger))
    }
    const reached = await readLog(targets, ports, lock.lost)
    for (const target of targets) await saveReached(target, reached, ports)
    await register(targets, lock)
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
  while (projections.some((projection) => !readModels.isBuilt(projection))) {
    try {
      await buildOnce(ports, options)
    } catch (error) {
      if (!isOtherRun(error)) throw error
    }
    await delay(pollEveryMs)
  }
}
