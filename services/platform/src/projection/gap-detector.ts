import { messageCheckpoint } from '../bus/relay.ts'
import type { Checkpoints, ReadModel } from '../read-model/port.ts'
import type { Logger } from 'pino'
import type { Continuity } from '../discontinuity/continuity.ts'
import { type Discontinuity, type FoundDiscontinuity, wholeLog } from '../discontinuity/discontinuity.ts'
import type { EventStore } from '../event-store/port.ts'
import { dataLossText, isDataLoss, ReadModelWentBackError } from '../read-model/errors.ts'

/**
 * Checks that the log holds the newest projected event. Then it holds all earlier ones, because a restored log has a common beginning
 * with the original and no later event of it. The cursors that the bus verifies may be older, because they are saved less often.
 */
const verifyPositions = async (
  readModel: Checkpoints,
  projection: string,
  log: Pick<EventStore, 'holds'>,
): Promise<FoundDiscontinuity | undefined> => {
  const known = Object.values(await readModel.positionIds(projection)).flatMap(({ position, messageId }) =>
    // Commits of earlier versions have no message id.
    messageId === undefined ? [] : [{ position, messageId }],
  )
  const newest = known.toSorted((a, b) => (a.position < b.position ? -1 : 1)).at(-1)
  const checkpoint = newest && messageCheckpoint(newest.position, newest.messageId)
  if (checkpoint === undefined || (await log.holds(checkpoint))) return undefined
  const { position, eventId } = checkpoint
  return { cause: 'log-older', missing: `the event store does not hold event ${eventId} at position ${position}` }
}

type GapDetectorOptions = {
  /** 'projection:inbox' */
  readonly consumer: string
  readonly projection: string
  readonly continuity: Continuity
  readonly log: Pick<EventStore, 'holds'> | undefined
  readonly logger: Pick<Logger, 'warn'>
  /** The read model that the consumer currently writes. */
  readModel(): ReadModel
  /** Moves to the active generation. Rejects if the generations cannot be read. */
  refreshGeneration(): Promise<void>
  resubscribe(): void
  /** Readers get this error until the consumer has caught up again. */
  rejectReads(reason: Error): void
  /** Waits for work in progress, then clears the caches of the read model. */
  restart(): Promise<void>
}

export type GapDetector = {
  discontinuity(): Discontinuity | undefined
  /** Call it with each failure. If the failure means a gap, the detector records it or goes back. */
  onFailure(error: unknown, readModel: ReadModel): void
  onDiscontinuity(found: FoundDiscontinuity): void
  /** Call it before each subscription, while no message is being handled. */
  beforeSubscribe(): Promise<void>
  /** Checks for data loss in the read model, which is not noticed otherwise while the projection writes nothing. */
  check(): Promise<void>
}

/**
 * Handles the gaps of a projection. If the read model went back as a whole, the projection consumes again from the cursors stored there.
 * Every other gap is recorded and halts the projection.
 */
export const createGapDetector = (options: GapDetectorOptions): GapDetector => {
  const {
    consumer,
    projection,
    continuity,
    log,
    logger,
    readModel,
    refreshGeneration,
    resubscribe,
    rejectReads,
    restart,
  } = options
  /** A connection that lost its data stays lost, even after a rebuild in another process has cleared the record. */
  const lost = new WeakMap<ReadModel, Discontinuity>()
  let wentBack: ReadModel | undefined

  const recordLoss = (error: Error, damaged: ReadModel) => {
    const { epoch } = damaged
    continuity.record({ consumer, cause: 'read-model-lost', missing: dataLossText(error), epoch })
    const discontinuity = continuity.discontinuityOf(consumer, epoch)
    if (discontinuity !== undefined) lost.set(damaged, discontinuity)
  }

  const onFailure = (error: unknown, failed: ReadModel) => {
    if (isDataLoss(error)) recordLoss(error, failed)
    if (!(error instanceof ReadModelWentBackError)) return
    if (!error.isWhole) {
      const missing = `its read model came back older in one part (${error.message})`
      continuity.record({ consumer, cause: 'read-model-older', missing, epoch: failed.epoch })
    } else if (wentBack !== failed) {
      wentBack = failed
      rejectReads(error)
      logger.warn({ projection, reason: error.message }, 'the read model went back, consuming again from its cursors')
      resubscribe()
    }
  }

  const onDiscontinuity = ({ cause, missing }: FoundDiscontinuity) => {
    if (cause === 'log-older') continuity.record({ consumer: wholeLog, cause, missing })
    else continuity.record({ consumer, cause, missing, epoch: readModel().epoch })
  }

  /** Runs while no message is being handled, so no commit can follow the lost ones. */
  const goBack = async () => {
    const older = wentBack
    if (older === undefined) return
    await restart()
    older.acceptOlder()
    wentBack = undefined
  }

  const verify = async (current: ReadModel, holds: Pick<EventStore, 'holds'>) => {
    try {
      return await verifyPositions(current, projection, holds)
    } catch (error) {
      onFailure(error, current)
      throw error
    }
  }

  const beforeSubscribe = async (): Promise<void> => {
    await goBack()
    // This process may learn that a record has ended before it learns of the switch to the rebuilt generation. Neither the positions nor
    // the cursors of the replaced one are in the log then.
    await refreshGeneration()
    if (log === undefined) return
    const current = readModel()
    const found = await verify(current, log)
    if (found === undefined) return
    if (readModel() === current) onDiscontinuity(found)
    else await beforeSubscribe()
  }

  return {
    async check() {
      const current = readModel()
      if (lost.has(current)) return
      try {
        await current.check()
      } catch (error) {
        onFailure(error, current)
      }
    },
    discontinuity: () => continuity.discontinuityOf(consumer, readModel().epoch) ?? lost.get(readModel()),
    onFailure,
    onDiscontinuity,
    beforeSubscribe,
  }
}
