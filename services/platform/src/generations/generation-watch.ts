import type { Logger } from 'pino'
import { startPolling } from '../async/polling.ts'
import { type Continuity } from '../discontinuity/continuity.ts'
import { projectionConsumer, describeDiscontinuity } from '../discontinuity/discontinuity.ts'
import { ReadModelEmptiedError, ReadModelUnavailableError, ReadModelWentBackError } from '../read-model/errors.ts'
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
/** How many looks there are for each check that the control namespace is still the one that was opened. */
const looksPerCheck = 10

export const emptiedText = 'the read models have been emptied: run make replay'
const lost = 'read-model-lost'

const isGone = (error: unknown): boolean =>
  error instanceof ReadModelEmptiedError || error instanceof ReadModelWentBackError

/** The error for readers of a projection whose loss is on record: no answer is better than an incomplete one. */
export const lossOf = (continuity: Pick<Continuity, 'open'>, consumer: string): Error | undefined => {
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
  /** Resolves after a look that has begun after the call: what had been switched by then is switched here, too. Rejects when it fails. */
  refresh(): Promise<void>
  /** Resolves once the look that is under way has ended. */
  stop(): Promise<void>
}

/** Follows the generations document and switches the slots of this process to the active generations. */
export const watchGenerations = (options: Options): GenerationWatch => {
  const { control, slots, continuity, staleFences, closer, open, logger } = options
  let { known } = options
  let looks = 0
  let isFailing = false
  let isStopped = false
  let looking: Promise<unknown> | undefined
  /** Read models that were lost while this process had them open. */
  const lostNow = new WeakSet<ReadModel>()

  const moveTo = async (slot: Slot, projection: string, found: Generations): Promise<void> => {
    if (!isBuilt(found, projection)) return
    const name = generationOf(found, projection)
    if (slot.active.current().name === name) return
    const before = slot.switchTo(activeGeneration(found, projection, await openEvenIfLost(name, open)))
    closer.closeLater(before)
    logger.info({ projection, before: before.name, generation: name }, 'Another generation of the read model serves')
  }

  /** Another process has rebuilt a lost read model under the same name, which this connection does not see. */
  const reopenRebuilt = async (): Promise<void> => {
    for (const [projection, slot] of slots) {
      const { readModel } = slot.active.current()
      const consumer = projectionConsumer(projection)
      const isOnRecord = continuity.discontinuityOf(consumer, readModel.epoch)?.cause === lost
      if (isOnRecord) lostNow.add(readModel)
      if (isOnRecord || !lostNow.has(readModel) || lossOf(continuity, consumer)) continue
      const found = await loadGenerations(control.active)
      const name = generationOf(found, projection)
      closer.closeLater(slot.switchTo(activeGeneration(found, projection, await openEvenIfLost(name, open))))
      logger.info({ projection, generation: name }, 'the read model was rebuilt, opening it again')
    }
  }

  /** The control namespace was emptied or went back with the read models: its present contents count from now on. */
  const reopenControl = async (error: unknown): Promise<void> => {
    logger.error({ err: error }, emptiedText)
    try {
      closer.closeLater(control.switchTo({ name: controlNamespace, readModel: await open(controlNamespace) }))
    } catch (failure) {
      logger.warn({ err: failure }, 'the control namespace cannot be opened again, retrying')
    }
  }

  const followDocument = async (): Promise<void> => {
    const version = await generationsVersion(control.active)
    // Undefined when the control namespace was emptied: the active generations stay.
    if (version === undefined || version === known.version) return
    const found = await loadGenerations(control.active)
    for (const [projection, slot] of slots) await moveTo(slot, projection, found)
    known = found
  }

  const lookOnce = async (): Promise<unknown> => {
    try {
      const fenced = staleFences.takeFenced()
      await followDocument()
      await reopenRebuilt()
      known = await staleFences.recover(known, fenced)
      looks++
      if (looks % looksPerCheck === 0) await control.active.check()
      isFailing = false
      return undefined
    } catch (error) {
      if (isGone(error)) await reopenControl(error)
      else if (!isFailing && !isStopped)
        logger.warn({ err: error }, 'The generations of the read models cannot be looked up')
      isFailing = true
      return error
    }
  }

  /** Calls share a look that is under way. The answer is why it failed. */
  const look = (): Promise<unknown> => (looking ??= lookOnce().finally(() => (looking = undefined)))

  const polling = startPolling(async () => void (await look()), { everyMs: pollEveryMs })

  return {
    known: () => known,
    async refresh() {
      await looking
      const failure = await look()
      if (failure !== undefined) throw failure
    },
    async stop() {
      isStopped = true
      await polling.stop()
      await looking
    },
  }
}
