import type { Envelope } from '@portal/contracts/shared/event-envelope'
import type { Logger } from 'pino'
import type { Bus, Delivery, Subscription } from '../bus/port.ts'
import { type Continuity, forgetfulContinuity } from '../discontinuity/continuity.ts'
import { DiscontinuityError } from '../discontinuity/discontinuity-error.ts'
import { type Discontinuity, projectionConsumer } from '../discontinuity/discontinuity.ts'
import type { EventStore } from '../event-store/port.ts'
import type { ReadModel } from '../read-model/port.ts'
import { servingForEver } from '../read-model/read-models.ts'
import { ReadModelSealedError } from '../read-model/sealed.ts'
import type { ServingReadModel } from '../read-model/serving-read-model.ts'
import type { Outcome } from './apply-in-partition.ts'
import { followGenerations } from './follow-generations.ts'
import { keepConsuming } from './keep-consuming.ts'
import { noticeGaps } from './notice-gaps.ts'
import { projectionKey, type ProjectionRef } from './projection-key.ts'
import type { Projection } from './projection.ts'
import { workInGeneration } from './work-in-generation.ts'

/** A seal is lifted or followed by a switch within a moment; so often a batch waits for that before the bus is told. */
const waitsForSwitch = 10
const waitForSwitchMs = 500
const checkEveryMs = 1_000

export type ProjectionOptions = {
  readonly projection: Projection
  readonly bus: Bus
  /** What `ReadModels.of` answers, or a read model that no replay touches. */
  readonly readModel: ReadModel | ServingReadModel
  /** Where gaps are recorded, and looked up before anything is consumed. Without it they are remembered while it runs. */
  readonly continuity?: Continuity | undefined
  /** The log behind the bus. With it a start verifies that the log holds what the read model was made of. */
  readonly log?: Pick<EventStore, 'holds'> | undefined
  readonly logger: Logger
  /** The bus group, if it must not share the work with another runner of the projection: a rebuild's. */
  readonly group?: string
  /** The log is read to its end before any message of the bus (bus/port.ts). */
  readonly readsLogFirst?: boolean
  /** How often it looks whether the read model still is what it was. */
  readonly checkEveryMs?: number
  /** After a message's writes have been committed. */
  onApplied?(partition: string, envelope: Envelope): void
}

export type RunningProjection = {
  /**
   * Resolves once it has seen all that was there when it looked. Rejects with a DiscontinuityError or an UnreadableEventError
   * when it stands still before, and when it is stopped before.
   */
  readonly caughtUp: Promise<void>
  /**
   * Whether it has seen all that was there when it looked, in the generation that serves at this moment: not from a switch or a new
   * subscription on until it has caught up there, and not while it stands still. For effects, which must not act on less.
   */
  isCaughtUp(): boolean
  /**
   * The subscription in which it has caught up; undefined while `isCaughtUp` is false. What was read during another one may lack what
   * had been applied: the read model may have gone back in between.
   */
  caughtUpIn(): AbortSignal | undefined
  /** What it stands still for. Its read model is not to be acted on. */
  standsStill(): Discontinuity | undefined
  /** Messages since the start; 'known' are those that came again. */
  counts(): Readonly<Record<Outcome, number>>
  /** After the batch under way. */
  stop(): Promise<void>
}

/** The name under which a projection's cursors are kept, and under which it consumes. */
export const projectionGroup = (projection: ProjectionRef): string => projectionConsumer(projectionKey(projection))

/** One at a time. */
const every = (pauseMs: number, work: () => Promise<void>): (() => void) => {
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  const next = () => {
    timer = setTimeout(() => {
      void work().finally(() => {
        if (!isOver) next()
      })
    }, pauseMs)
  }
  next()
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}

const quietly = () => {
  const settled = Promise.withResolvers<void>()
  // Whoever does not wait for it must not be ended by it.
  settled.promise.catch(() => undefined)
  return settled
}

/** Keeps one projection up to date for as long as it runs, in whichever generation of its read model serves. */
export const runProjection = async (options: ProjectionOptions): Promise<RunningProjection> => {
  const { projection, bus, log, logger, onApplied } = options
  const { name } = projection
  const readModel = 'atHand' in options.readModel ? options.readModel : servingForEver(options.readModel)
  const continuity = options.continuity ?? forgetfulContinuity(logger)
  const consumer = projectionGroup(projection)
  const counts = { applied: 0, known: 0, parked: 0 }
  const caughtUp = quietly()
  let isStopped = false
  /** The subscription that has seen all. */
  let caughtUpIn: AbortSignal | undefined
  let releaseReads = (): void => undefined

  const generations = followGenerations({
    projection: name,
    readModel,
    logger,
    workIn: (generation) =>
      workInGeneration({
        projection,
        generation,
        consumer,
        logger,
        onOutcome(outcome, partition, envelope) {
          counts[outcome]++
          if (outcome === 'applied') onApplied?.(partition, envelope)
        },
        onFailure: (error) => void gaps.notice(error, generation.readModel),
      }),
    startOver: () => kept.startOver(),
    onMoved: () => kept.obstaclesChanged(),
  })

  const gaps = noticeGaps({
    consumer,
    projection: name,
    continuity,
    log,
    logger,
    readModel: () => generations.current().generation.readModel,
    async lookForNext() {
      readModel.lookForNext('older-log')
      await generations.next(waitForSwitchMs)
      // A move that has begun is waited for.
      await generations.inGeneration(async () => undefined)
    },
    startOver: () => kept.startOver(),
    holdReads(why) {
      releaseReads = readModel.holdReads(why)
    },
    renew: () => generations.renew(),
  })

  const handleOnce = (turn: AbortSignal, busPartition: string, deliveries: readonly Delivery[]): Promise<void> =>
    generations.inGeneration(async (work) => {
      if (turn.aborted) throw new Error(`${name} consumes anew`)
      try {
        await work.handle(busPartition, deliveries)
      } catch (error) {
        gaps.notice(error, work.generation.readModel)
        throw error
      }
      for (const { cursor } of deliveries) work.cursors.reached(busPartition, cursor)
    })

  /** Until it is done, in this generation or in the next. */
  const handle = async (turn: AbortSignal, busPartition: string, deliveries: readonly Delivery[]): Promise<void> => {
    for (let waits = 0; ; waits++) {
      try {
        return await handleOnce(turn, busPartition, deliveries)
      } catch (error) {
        if (!(error instanceof ReadModelSealedError) || waits >= waitsForSwitch || isStopped) throw error
        readModel.lookForNext('sealed')
        await generations.next(waitForSwitchMs)
      }
    }
  }

  const loadCursors = async () => {
    const { cursors, generation } = generations.current()
    try {
      return await cursors.load()
    } catch (error) {
      gaps.notice(error, generation.readModel)
      throw error
    }
  }

  const consume = (turn: AbortSignal): Promise<Subscription> =>
    bus.consume({
      group: options.group ?? consumer,
      topics: projection.topics,
      ...(options.readsLogFirst !== undefined && { readsLogFirst: options.readsLogFirst }),
      loadCursors,
      async handle(deliveries) {
        for (const [busPartition, own] of Map.groupBy(deliveries, (delivery) => delivery.busPartition)) {
          await handle(turn, busPartition, own)
        }
      },
      onDiscontinuity: gaps.onDiscontinuity,
      onUnreadableEvent: caughtUp.reject,
      onCaughtUp(reached) {
        if (turn.aborted) return
        const { cursors, generation } = generations.current()
        for (const [busPartition, cursor] of Object.entries(reached)) cursors.reached(busPartition, cursor)
        continuity.rebuilt(consumer, generation.readModel.epoch)
        caughtUpIn = turn
        releaseReads()
        caughtUp.resolve()
      },
    })

  const kept = keepConsuming({
    consumer,
    logger,
    obstacle: gaps.obstacle,
    prepare: gaps.prepare,
    consume,
    onStandStill: (obstacle) => caughtUp.reject(new DiscontinuityError(obstacle)),
  })
  const isCaughtUp = (): boolean =>
    caughtUpIn?.aborted === false &&
    kept.standsStill() === undefined &&
    readModel.atHand().name === generations.current().generation.name

  const stopListening = continuity.onChange(() => {
    kept.obstaclesChanged()
    // Another process may hear of a rebuild late, and record the loss of the read model that was replaced.
    if (isCaughtUp()) continuity.rebuilt(consumer, generations.current().generation.readModel.epoch)
  })
  const stopChecking = every(options.checkEveryMs ?? checkEveryMs, gaps.check)

  const stop = async (): Promise<void> => {
    isStopped = true
    stopListening()
    stopChecking()
    const generationsStopped = generations.stop()
    await kept.stop()
    await generationsStopped
    await generations.current().cursors.stop()
    // Nobody here has anything to take up again: what reads goes on as in a process that never consumed.
    generations.current().generation.readModel.acceptOlder()
    releaseReads()
    caughtUp.reject(new Error(`${name} was stopped`))
  }

  try {
    await kept.started
  } catch (error) {
    await stop()
    throw error
  }
  return {
    caughtUp: caughtUp.promise,
    isCaughtUp,
    caughtUpIn: () => (isCaughtUp() ? caughtUpIn : undefined),
    standsStill: kept.standsStill,
    counts: () => ({ ...counts }),
    stop,
  }
}
