import { createRelay } from '@portal/platform/bus/relay'
import type { Projection } from '@portal/platform/projection/projection'
import { projectionKey } from '@portal/platform/read-model/projection-key'
import type { ReplayPorts } from '@portal/platform/generations/run-with-replay-lock'
import { generationName } from '@portal/platform/generations/replay'
import type { Config } from '@portal/platform/settings/config'
import { loadGenerations } from '@portal/platform/generations/generations'
import { isDataLoss } from '@portal/platform/read-model/errors'
import type { ReadModel } from '@portal/platform/read-model/port'
import { readLogToEnd } from '@portal/platform/event-store/read-log-to-end'
import { openServingReadModels } from '../settings/serving-read-models.ts'

type ProjectionPlan = {
  readonly projection: string
  /** The active generation, which a rollback would activate again. */
  readonly generation: string | undefined
  readonly partitions: number
  readonly documents: number
  readonly entries: number
  readonly wouldBuild: string
  readonly wouldDrop: readonly string[]
}
export type ReplayPlan = { readonly eventsToRead: number; readonly projections: readonly ProjectionPlan[] }

const sizeOf = async (projection: string, readModel: ReadModel) => {
  const size = { partitions: 0, documents: 0, entries: 0 }
  try {
    for (const partition of await readModel.partitions()) {
      const { documents, entries } = await readModel.digest(projection, partition)
      size.partitions++
      size.documents += documents
      size.entries += entries
    }
  } catch (error) {
    // Counts a damaged read model as far as it is readable, because a replay rebuilds it.
    if (!isDataLoss(error)) throw error
  }
  return size
}

const eventsIn = async ({ log, publishers }: Pick<ReplayPorts, 'log' | 'publishers'>): Promise<number> => {
  let events = 0
  for await (const _ of readLogToEnd(log, 'start', { categories: createRelay(publishers).categories })) events++
  return events
}

/** `DRY_RUN=1`: describes what a replay would do. Writes nothing. */
export const planReplay = async (
  config: Config,
  ports: Pick<ReplayPorts, 'log' | 'publishers'>,
  projections: readonly Projection[],
  stamp: string,
): Promise<ReplayPlan> => {
  const readModels = await openServingReadModels(config)
  try {
    const generations = readModels.control && (await loadGenerations(readModels.control))
    const plans: ProjectionPlan[] = []
    for (const projection of projections) {
      const { name } = projection
      const key = projectionKey(projection)
      const serving = await readModels.of(projection)
      const size = serving ? await sizeOf(name, serving.readModel) : { partitions: 0, documents: 0, entries: 0 }
      const known = generations?.serving[key]
      plans.push({
        projection: name,
        generation: serving?.generation,
        ...size,
        wouldBuild: generationName(projection, stamp),
        wouldDrop: [known?.previous, known?.refused].filter((dropped) => dropped !== undefined),
      })
    }
    return { eventsToRead: await eventsIn(ports), projections: plans }
  } finally {
    await readModels.close()
  }
}
