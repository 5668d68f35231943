import type { Envelope } from '@portal/contracts/shared/event-envelope'
import type { Logger } from 'pino'
import { startPolling } from '../async/polling.ts'
import type { Bus, Cursors, Delivery, Subscription } from '../bus/port.ts'
import { type Continuity, inMemoryContinuity } from '../discontinuity/continuity.ts'
import { type Discontinuity, DiscontinuityError, projectionConsumer } from '../discontinuity/discontinuity.ts'
import type { EventStore } from '../event-store/port.ts'
import { startConsumerLoop, type ConsumerLoop } from '../projection/consumer-loop.ts'
import { type GapDetector, createGapDetector } from '../projection/gap-detector.ts'
import type { ApplyOutcome } from '../projection/partition-applier.ts'
import type { Projection } from '../projection/projection.ts'
import { ReadModelFencedError } from '../read-model/errors.ts'
import type { ReadModel } from '../read-model/port.ts'
import { projectionKey, type ProjectionRef } from '../read-model/projection-key.ts'
import { type ActiveGeneration, type Generation, singleGeneration } from './active-generation.ts'
import {
  createGenerationSwitcher,
  createGenerationWorker,
  type GenerationSwitcher,
  type GenerationWorker,
} from './generation-switcher.ts'

/** A fence is lifted or followed by a switch within a moment. A batch waits this often before it fails. */
const waitsForSwitch = 10
const waitForSwitchMs = 500
const checkEveryMs = 1_000

type ProjectionOptions = {
  readonly projection: Projection
  readonly bus: Bus
  /** What `ReadModels.of` answers, or a read model that no replay touches. */
  readonly readModel: ReadModel | ActiveGeneration
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
  haltedBy(): Discontinuity | undefined
  /** Messages since the start; 'known' are those that came again. */
  counts(): Readonly<Record<ApplyOutcome, number>>
  /** Resolves after the batch in progress. */
  stop(): Promise<void>
}

/** The name under which a projection's cursors are kept, and under which it consumes. */
export const projectionGroup = (projection: ProjectionRef): string => projectionConsumer(projectionKey(projection))

const createCaughtUp = () => {
  const settled = Promise.withResolvers<void>()
  // A caller that does not wait for it must not end with its rejection.
  settled.promise.catch(() => undefined)
  return settled
}

/** Lifecycle: constructed, `start` (subscribes, or stands still), `stop`. */
class ProjectionRun {
  readonly #options: ProjectionOptions
  readonly #readModel: ActiveGeneration
  readonly #continuity: Continuity
  readonly #consumer: string
  readonly #generations: GenerationSwitcher
  readonly #gaps: GapDetector
  readonly #loop: ConsumerLoop
  readonly #counts = { applied: 0, known: 0, parked: 0 }
  readonly caughtUp = createCaughtUp()
  #isStopped = false
  /** The subscription that has seen all. */
  #caughtUpIn: AbortSignal | undefined
  #releaseReads = (): void => undefined
  #stopWatching = (): void => undefined

  constructor(options: ProjectionOptions) {
    const { projection, logger, log } = options
    this.#options = options
    this.#readModel = 'current' in options.readModel ? options.readModel : singleGeneration(options.readModel)
    this.#continuity = options.continuity ?? inMemoryContinuity(logger)
    this.#consumer = projectionGroup(projection)
    this.#generations = createGenerationSwitcher({
      projection: projection.name,
      readModel: this.#readModel,
      logger,
      workIn: (generation) => this.#workIn(generation),
      resubscribe: () => this.#loop.resubscribe(),
      onMoved: () => this.#loop.discontinuitiesChanged(),
    })
    this.#gaps = createGapDetector({
      consumer: this.#consumer,
      projection: projection.name,
      continuity: this.#continuity,
      log,
      logger,
      readModel: () => this.#generations.current().generation.readModel,
      refreshGeneration: () => this.#refreshGeneration(),
      resubscribe: () => this.#loop.resubscribe(),
      rejectReads: (why) => void (this.#releaseReads = this.#readModel.rejectReads(why)),
      restart: () => this.#generations.restart(),
    })
    this.#loop = startConsumerLoop({
      consumer: this.#consumer,
      logger,
      discontinuity: this.#gaps.discontinuity,
      prepare: this.#gaps.prepare,
      consume: (turn) => this.#consume(turn),
      onHalted: (discontinuity) => this.caughtUp.reject(new DiscontinuityError(discontinuity)),
    })
  }

  async start(): Promise<void> {
    const stopListening = this.#continuity.onChange(() => this.#onContinuityChange())
    const checking = startPolling(this.#gaps.check, { everyMs: this.#options.checkEveryMs ?? checkEveryMs })
    this.#stopWatching = () => {
      stopListening()
      // A check of a read model that does not answer may take seconds.
      void checking.stop()
    }
    try {
      await this.#loop.started
    } catch (error) {
      await this.stop()
      throw error
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#stopWatching()
    const generationsStopped = this.#generations.stop()
    await this.#loop.stop()
    await generationsStopped
    const { cursors, generation } = this.#generations.current()
    await cursors.stop()
    // Nothing here consumes again: readers go on as in a process that never consumed.
    generation.readModel.acceptOlder()
    this.#releaseReads()
    this.caughtUp.reject(new Error(`${this.#options.projection.name} was stopped`))
  }

  caughtUpIn(): AbortSignal | undefined {
    const turn = this.#caughtUpIn
    const isCaughtUp =
      turn?.aborted === false &&
      this.haltedBy() === undefined &&
      this.#readModel.current().name === this.#generations.current().generation.name
    return isCaughtUp ? turn : undefined
  }

  haltedBy(): Discontinuity | undefined {
    return this.#loop.haltedBy()
  }

  counts(): Readonly<Record<ApplyOutcome, number>> {
    return { ...this.#counts }
  }

  #workIn(generation: Generation): GenerationWorker {
    const { projection, logger, onApplied } = this.#options
    return createGenerationWorker({
      projection,
      generation,
      consumer: this.#consumer,
      logger,
      onOutcome: (outcome, partition, envelope) => {
        this.#counts[outcome]++
        if (outcome === 'applied') onApplied?.(partition, envelope)
      },
      onFailure: (error) => this.#gaps.onFailure(error, generation.readModel),
    })
  }

  async #refreshGeneration(): Promise<void> {
    await this.#readModel.refresh('older-log')
    // A move that has begun is waited for.
    await this.#generations.inGeneration(async () => undefined)
  }

  #onContinuityChange(): void {
    this.#loop.discontinuitiesChanged()
    // Another process may hear of a rebuild late, and record the loss of the read model that was replaced.
    if (this.caughtUpIn())
      this.#continuity.rebuilt(this.#consumer, this.#generations.current().generation.readModel.epoch)
  }

  #consume(turn: AbortSignal): Promise<Subscription> {
    const { bus, group, projection, readsLogFirst } = this.#options
    return bus.consume({
      group: group ?? this.#consumer,
      topics: projection.topics,
      ...(readsLogFirst !== undefined && { readsLogFirst }),
      loadCursors: () => this.#loadCursors(),
      handle: async (deliveries) => {
        for (const [busPartition, own] of Map.groupBy(deliveries, (delivery) => delivery.busPartition)) {
          await this.#handle(turn, busPartition, own)
        }
      },
      onDiscontinuity: this.#gaps.onDiscontinuity,
      onUnreadableEvent: this.caughtUp.reject,
      onCaughtUp: (reached) => this.#onCaughtUp(turn, reached),
    })
  }

  async #loadCursors(): Promise<Cursors> {
    const { cursors, generation } = this.#generations.current()
    try {
      return await cursors.load()
    } catch (error) {
      this.#gaps.onFailure(error, generation.readModel)
      throw error
    }
  }

  /** Until it is done, in this generation or in the next. */
  async #handle(turn: AbortSignal, busPartition: string, deliveries: readonly Delivery[]): Promise<void> {
    for (let waits = 0; ; waits++) {
      try {
        return await this.#handleOnce(turn, busPartition, deliveries)
      } catch (error) {
        if (!(error instanceof ReadModelFencedError) || waits >= waitsForSwitch || this.#isStopped) throw error
        // Where it fails the look is repeated soon, and so is this.
        this.#readModel.refresh('fenced').catch(() => undefined)
        await this.#generations.waitForSwitch(waitForSwitchMs)
      }
    }
  }

  #handleOnce(turn: AbortSignal, busPartition: string, deliveries: readonly Delivery[]): Promise<void> {
    return this.#generations.inGeneration(async (work) => {
      if (turn.aborted) throw new Error(`${this.#options.projection.name} consumes anew`)
      try {
        await work.handle(busPartition, deliveries)
      } catch (error) {
        this.#gaps.onFailure(error, work.generation.readModel)
        throw error
      }
      for (const { cursor } of deliveries) work.cursors.reached(busPartition, cursor)
    })
  }

  #onCaughtUp(turn: AbortSignal, reached: Cursors): void {
    if (turn.aborted) return
    const { cursors, generation } = this.#generations.current()
    for (const [busPartition, cursor] of Object.entries(reached)) cursors.reached(busPartition, cursor)
    this.#continuity.rebuilt(this.#consumer, generation.readModel.epoch)
    this.#caughtUpIn = turn
    this.#releaseReads()
    this.caughtUp.resolve()
  }
}

/** Keeps one projection up to date while it runs, in whichever generation of its read model is active. */
export const runProjection = async (options: ProjectionOptions): Promise<RunningProjection> => {
  const run = new ProjectionRun(options)
  await run.start()
  return {
    caughtUp: run.caughtUp.promise,
    isCaughtUp: () => run.caughtUpIn() !== undefined,
    caughtUpIn: () => run.caughtUpIn(),
    haltedBy: () => run.haltedBy(),
    counts: () => run.counts(),
    stop: () => run.stop(),
  }
}
