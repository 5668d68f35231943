import type { Logger } from 'pino'
import { type Continuity, watchContinuity } from '../discontinuity/continuity.ts'
import { projectionConsumer } from '../discontinuity/discontinuity.ts'
import { dataLossText, ReadModelEmptiedError } from '../read-model/errors.ts'
import type { Maintenance } from '../read-model/port.ts'
import { projectionKey, type ProjectionRef } from '../read-model/projection-key.ts'
import { type ActiveGeneration, createSlot, type Slot, type SlotOptions } from './active-generation.ts'
import { emptiedText, recordedLossError, watchGenerations } from './generation-watch.ts'
import { isBuilt } from './generations.ts'
import { createGenerationCloser, controlNamespace, openGenerations, type OpenNamespace } from './open-generations.ts'
import { createStaleFenceRecovery } from './stale-fence-recovery.ts'

export type ReadModels = {
  /** Always the same object for a projection. Throws for projections that were not named when the read models were opened. */
  of(projection: ProjectionRef): ActiveGeneration
  /** Whether the projection has a generation of this version. Until then reads reject. */
  isBuilt(projection: ProjectionRef): boolean
  readonly control: ActiveGeneration
  /** The discontinuities recorded in `control`. */
  readonly continuity: Continuity
  /** Rejects if a read model is unavailable, or has not been built yet. */
  check(): Promise<void>
  /** As `check` without those that have not been built: a start waits for the others, and then builds these. */
  checkBuilt(): Promise<void>
  close(): Promise<void>
}

type ReadModelsOptions = {
  /** Keys of the projections that this process runs, reads or waits for (read-model/projection-key.ts). */
  readonly projections: readonly string[]
  readonly open: OpenNamespace
  readonly logger: Logger
  /** The name of this process, stored with its records. */
  readonly process?: string
}

const checkAll = async (readModels: readonly Pick<Maintenance, 'check'>[]): Promise<void> => {
  try {
    await Promise.all(readModels.map((readModel) => readModel.check()))
  } catch (error) {
    throw error instanceof ReadModelEmptiedError ? new Error(emptiedText, { cause: error }) : error
  }
}

/**
 * The read models of all projections. Each has its own namespace, which a replay can replace while it serves. Processes may switch at
 * slightly different moments, because the previous generation is fenced by then and the next one has all its data.
 */
export const openReadModels = async (options: ReadModelsOptions): Promise<ReadModels> => {
  const { projections, open, logger, process = 'portal' } = options
  const opened = await openGenerations(projections, open)
  const control = createSlot({ name: controlNamespace, readModel: opened.control }, { refresh: async () => undefined })
  const continuity = await watchContinuity({ control: control.active, process, logger })
  const slots = new Map<string, Slot>()
  const closer = createGenerationCloser(logger)
  const activeOf = (key: string) => slots.get(key)?.active.current().readModel
  const staleFences = createStaleFenceRecovery({ control: control.active, activeOf, logger })

  const slotOptions = (key: string): SlotOptions => {
    const consumer = projectionConsumer(key)
    return {
      refresh(reason) {
        if (reason === 'fenced') staleFences.reportFenced(key)
        return watch.refresh()
      },
      onLost: (error, { epoch }) =>
        continuity.record({ consumer, cause: 'read-model-lost', missing: dataLossText(error), epoch }),
      readError: () => recordedLossError(continuity, consumer),
      isHalted: () => continuity.discontinuityOf(consumer, activeOf(key)?.epoch) !== undefined,
    }
  }
  for (const [key, generation] of opened.generations) slots.set(key, createSlot(generation, slotOptions(key)))
  const { known } = opened
  const watch = watchGenerations({ control, slots, known, continuity, staleFences, closer, open, logger })

  /** Without the read models whose loss is recorded: `continuity` reports those. */
  const readable = (keys: readonly string[]) =>
    keys.flatMap((key) => {
      const active = slots.get(key)?.active
      return active === undefined || recordedLossError(continuity, projectionConsumer(key)) ? [] : [active]
    })
  const builtKeys = () => [...slots.keys()].filter((key) => isBuilt(watch.known(), key))
  let isClosed = false

  return {
    control: control.active,
    continuity,
    of(projection) {
      const key = projectionKey(projection)
      const slot = slots.get(key)
      if (slot === undefined) throw new Error(`The read model of '${key}' has not been opened by this process`)
      return slot.active
    },
    isBuilt: (projection) => isBuilt(watch.known(), projectionKey(projection)),
    check: () => checkAll([control.active, ...readable([...slots.keys()])]),
    checkBuilt: () => checkAll([control.active, ...readable(builtKeys())]),
    async close() {
      if (isClosed) return
      isClosed = true
      await watch.stop()
      await continuity.close()
      await closer.closeAll()
      await Promise.all([...slots.values(), control].map(({ active }) => active.current().readModel.close()))
    },
  }
}
