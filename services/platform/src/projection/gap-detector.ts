import { messageCheckpoint } from '../bus/relay.ts'
import type { Checkpoints, ReadModel } from '../read-model/port.ts'
import type { Logger } from 'pino'
import type { Continuity } from '../discontinuity/continuity.ts'
import { type Discontinuity, type FoundDiscontinuity, wholeLog } from '../discontinuity/discontinuity.ts'
import type { EventStore } from '../event-store/port.ts'
import { dataLossText, isDataLoss, ReadModelWentBackError } from '../read-model/errors.ts'

/**
 * Whether the log holds what the read model was made of. Positions are exact while cursors are saved now and then, so they can be
 * ahead of a cursor that the bus verifies. A log that holds the newest of them holds all before it: one that was restored
 * from an older copy shares a beginning with what it was, and nothing behind it.
 */
const verifyPositions = async (
  readModel: Checkpoints,
  projection: string,
  log: Pick<EventStore, 'holds'>,
): Promise<FoundDiscontinuity | undefined> => {
  const known = Object.values(await readModel.positionIds(projection)).flatMap(({ position, messageId }) =>
    // Commits of earlier versions named no message.
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
  /** The one that the consumer works in at the moment. */
  readModel(): ReadModel
  /** Moves to the one that serves by now. Rejects when that cannot be found out. */
  refreshGeneration(): Promise<void>
  resubscribe(): void
  /** Readers get this error until the consumer has caught up again. */
  rejectReads(why: Error): void
  /** Ends what is under way, and forgets what is remembered of the read model. */
  restart(): Promise<void>
}

export type GapDetector = {
  discontinuity(): Discontinuity | undefined
  /** To be told of each failure: of those that mean a gap it sees to the consequence. */
  onFailure(error: unknown, readModel: ReadModel): void
  onDiscontinuity(found: FoundDiscontinuity): void
  /** Before each subscription, when nothing is under way. */
  prepare(): Promise<void>
  /** Looks whether the read model still is what it was: where nothing is written nobody else would notice. */
  check(): Promise<void>
}

/**
 * What a projection does about gaps. Where the read model went back as a whole it goes back with it and consumes again from the
 * cursors that are stored there. Everything else is recorded, and it stands still.
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
  /** A connection that has lost its data stays so, also when a rebuild in another process has cleared the record. */
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

  /** All that was under way has ended: nothing of it can be written behind what the read model lost. */
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

  const prepare = async (): Promise<void> => {
    await goBack()
    if (log === undefined) return
    const current = readModel()
    const found = await verify(current, log)
    if (found === undefined) return
    // The end of a record may be heard of before the switch to the generation that was rebuilt.
    await refreshGeneration()
    if (readModel() === current) onDiscontinuity(found)
    else await prepare()
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
    prepare,
  }
}
