import type { Logger } from 'pino'
import { startPolling } from '../async/polling.ts'
import { type Continuity } from '../discontinuity/continuity.ts'
import { projectionConsumer, describeDiscontinuity } from '../discontinuity/discontinuity.ts'
import { DatabaseLockedError, DatabaseReplacedError } from '../files/database-file.ts'
import { ReadModelEmptiedError, ReadModelUnavailableError } from '../read-model/errors.ts'
import type { ReadModel } from '../read-model/port.ts'
import type { Slot } from './active-generation.ts'
import {
  activeGeneration,
  generationOf,
  type Generations,
  generationsVersion,
  isBuilt,
  loadGenerations,
} from './generations.ts'
import { controlNamespace, openEvenIfLost, type OpenNamespace, type GenerationCloser } from './open-generations.ts'
import type { StaleFenceRecovery } from './stale-fence-recovery.ts'

const pollEveryMs = 100
/** Every tenth poll also checks that the control namespace has not been emptied. */
const pollsPerCheck = 10

export const emptiedText = 'the read models have been emptied: run make replay'
const lost = 'read-model-lost'

/** The error for readers of a projection whose data loss is recorded: no response is better than an incomplete one. */
export const recordedLossError = (continuity: Pick<Continuity, 'open'>, consumer: string): Error | undefined => {
  const loss = continuity.open().find((one) => one.consumer === consumer && one.cause === lost)
  return loss && new ReadModelUnavailableError(describeDiscontinuity(loss))
}

type Options = {
  readonly control: Slot
  /** By projection key. */
  readonly slots: ReadonlyMap<string, Slot>
  readonly known: Generations
  readonly continuity: Continuity
  readonly staleFences: StaleFenceRecovery
  readonly closer: GenerationCloser
  readonly open: OpenNamespace
  readonly logger: Logger
}

type GenerationWatch = {
  known(): Generations
  /** Polls again after a poll in progress. Once it resolves, earlier switches apply here, too. Rejects if the poll fails. */
  refresh(): Promise<void>
  /** Resolves after the poll in progress. */
  stop(): Promise<void>
}

/** Follows the generations document and switches the slots of this process to the active generations. */
export const watchGenerations = (options: Options): GenerationWatch => {
  const { control, slots, continuity, staleFences, closer, open, logger } = options
  let { known } = options
  let polls = 0
  let isFailing = false
  let isStopped = false
  let polling: Promise<unknown> | undefined
  /** Read models that lost their data while this process had them open. */
  const lostReadModels = new WeakSet<ReadModel>()

  const switchIfNew = async (slot: Slot, projection: string, found: Generations): Promise<void> => {
    if (!isBuilt(found, projection)) return
    const name = generationOf(found, projection)
    if (slot.active.current().name === name) return
    const before = slot.switchTo(activeGeneration(found, projection, await openEvenIfLost(name, open)))
    closer.closeLater(before)
    logger.info({ projection, before: before.name, generation: name }, 'read model switched to another generation')
  }

  /** Another process may have rebuilt a lost read model under the same name, which this connection does not see. */
  const reopenRebuilt = async (): Promise<void> => {
    for (const [projection, slot] of slots) {
      const { readModel } = slot.active.current()
      const consumer = projectionConsumer(projection)
      const isRecorded = continuity.discontinuityOf(consumer, readModel.epoch)?.cause === lost
      if (isRecorded) lostReadModels.add(readModel)
      if (isRecorded || !lostReadModels.has(readModel) || recordedLossError(continuity, consumer)) continue
      const found = await loadGenerations(control.active)
      const name = generationOf(found, projection)
      closer.closeLater(slot.switchTo(activeGeneration(found, projection, await openEvenIfLost(name, open))))
      logger.info({ projection, generation: name }, 'read model was rebuilt, reopening it')
    }
  }

  /** The control namespace was emptied. Its present contents apply from now on. */
  const reopenControl = async (error: unknown): Promise<void> => {
    logger.error({ err: error }, emptiedText)
    try {
      closer.closeLater(control.switchTo({ name: controlNamespace, readModel: await open(controlNamespace) }))
    } catch (failure) {
      logger.warn({ err: failure }, 'control namespace cannot be reopened, retrying')
    }
  }

  const applyDocument = async (): Promise<void> => {
    const version = await generationsVersion(control.active)
    // Undefined when the control namespace was emptied: the active generations stay.
    if (version === undefined || version === known.version) return
    const found = await loadGenerations(control.active)
    for (const [projection, slot] of slots) await switchIfNew(slot, projection, found)
    known = found
  }

  /** A file that is locked, deleted or replaced can still be read here, and health reports it. */
  const requireControl = (): Promise<void> =>
    control.active.check().catch((error: unknown) => {
      if (!(error instanceof DatabaseLockedError || error instanceof DatabaseReplacedError)) throw error
    })

  const pollOnce = async (): Promise<unknown> => {
    try {
      const fenced = staleFences.takeFenced()
      await applyDocument()
      await reopenRebuilt()
      known = await staleFences.recover(known, fenced)
      polls++
      if (polls % pollsPerCheck === 0) await requireControl()
      isFailing = false
      return undefined
    } catch (error) {
      if (error instanceof ReadModelEmptiedError) await reopenControl(error)
      else if (!isFailing && !isStopped)
        logger.warn({ err: error }, 'generations of the read models cannot be read, retrying')
      isFailing = true
      return error
    }
  }

  /** Concurrent calls share one poll. Resolves with the error if it failed. */
  const poll = (): Promise<unknown> => (polling ??= pollOnce().finally(() => (polling = undefined)))

  const timer = startPolling(async () => void (await poll()), { everyMs: pollEveryMs })

  return {
    known: () => known,
    async refresh() {
      await polling
      const failure = await poll()
      if (failure !== undefined) throw failure
    },
    async stop() {
      isStopped = true
      await timer.stop()
      await polling
    },
  }
}
