import type { Envelope } from '@portal/contracts/shared/event-envelope'
import type { Logger } from 'pino'
import { startPolling } from '../async/polling.ts'
import type { Bus, Cursors, Delivery, Subscription } from '../bus/port.ts'
import { type Continuity, inMemoryContinuity } from '../discontinuity/continuity.ts'
import { type Discontinuity, DiscontinuityError, projectionConsumer } from '../discontinuity/discontinuity.ts'
import type { EventStore } from '../event-store/port.ts'
import { retryWhileFenced } from '../projection/apply-with-retry.ts'
import { startConsumerLoop, type ConsumerLoop } from '../projection/consumer-loop.ts'
import { type GapDetector, createGapDetector } from '../projection/gap-detector.ts'
import type { ApplyOutcome } from '../projection/partition-applier.ts'
import type { Projection } from '../projection/projection.ts'
import type { ReadModel } from '../read-model/port.ts'
import { projectionKey, type ProjectionRef } from '../read-model/projection-key.ts'
import { type ActiveGeneration, type Generation, singleGeneration } from './active-generation.ts'
import {
  createGenerationSwitcher,
  createGenerationWorker,
  type GenerationSwitcher,
  type GenerationWorker,
} from './generation-switcher.ts'

const checkEveryMs = 1_000

type ProjectionOptions = {
  readonly projection: Projection
  readonly bus: Bus
  /** The result of `ReadModels.of`, or a read model that no replay replaces. */
  readonly readModel: ReadModel | ActiveGeneration
  /** Records discontinuities, and is checked before the projection subscribes. Without it, they last until the projection stops. */
  readonly continuity?: Continuity | undefined
  /** The event store. With it, a start verifies that the log holds the newest projected event. */
  readonly log?: Pick<EventStore, 'holds'> | undefined
  readonly logger: Logger
  /** The consumer group, if it differs from the projection's, as for a rebuild beside a running projection. */
  readonly group?: string
  /** The consumer reads the log to its end before it reads the bus (bus/port.ts). */
  readonly readsLogFirst?: boolean
  /** How often the read model is checked for data loss. */
  readonly checkEveryMs?: number
  /** After a message's writes have been committed. */
  onApplied?(partition: string, envelope: Envelope): void
}

export type RunningProjection = {
  /**
   * Resolves once the projection has caught up. Rejects if it is stopped before, with a DiscontinuityError if it is halted before, and
   * with an UnreadableEventError before an event that it cannot read.
   */
  readonly caughtUp: Promise<void>
  /**
   * Whether it has caught up in the active generation. False after a switch or a new subscription until it has caught up there, and
   * while it is halted. For effects, which must not act on incomplete data.
   */
  isCaughtUp(): boolean
  /**
   * The signal of the subscription in which it has caught up; undefined while `isCaughtUp` is false. A different signal means that the
   * read model may have gone back in between, so earlier reads do not continue.
   */
  caughtUpIn(): AbortSignal | undefined
  /** The discontinuity that halts it. Effects must not act on its read model then. */
  haltedBy(): Discontinuity | undefined
  /** Number of messages since the start; 'known' ones had been applied before. */
  counts(): Readonly<Record<ApplyOutcome, number>>
  /** Resolves after the batch in progress. */
  stop(): Promise<void>
}

/** The consumer group of a projection, which also names its cursors. */
export const projectionGroup = (projection: ProjectionRef): string => projectionConsumer(projectionKey(projection))

/** Lifecycle: constructed, `start` (subscribes or is halted), `stop`. */
class ProjectionRun implements RunningProjection {
  readonly #options: ProjectionOptions
  readonly #readModel: ActiveGeneration
  readonly #continuity: Continuity
  readonly #consumer: string
  readonly #generations: GenerationSwitcher
  readonly #gaps: GapDetector
  readonly #loop: ConsumerLoop
  readonly #counts = { applied: 0, known: 0, deadLettered: 0 }
  readonly #stopping = new AbortController()
  readonly #caughtUp = Promise.withResolvers<void>()
  /** The signal of the subscription that has caught up. */
  #caughtUpIn: AbortSignal | undefined
  #releaseReads = (): void => undefined
  #stopWatching = (): void => undefined

  constructor(options: ProjectionOptions) {
    const { projection, logger, log } = options
    this.#options = options
    // Without a caller that waits, its rejection must not end the process.
    this.caughtUp.catch(() => undefined)
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
      beforeSubscribe: this.#gaps.beforeSubscribe,
      consume: (signal) => this.#consume(signal),
      onHalted: (discontinuity) => this.#caughtUp.reject(new DiscontinuityError(discontinuity)),
    })
  }

  async start(): Promise<void> {
    const stopListening = this.#continuity.onChange(() => this.#onContinuityChange())
    const checking = startPolling(this.#gaps.check, { everyMs: this.#options.checkEveryMs ?? checkEveryMs })
    this.#stopWatching = () => {
      stopListening()
      // Does not wait: a check of an unresponsive read model may take seconds.
      void checking.stop()
    }
    try {
      await this.#loop.started
    } catch (error) {
      await this.stop()
      throw error
    }
  }

  readonly stop = async (): Promise<void> => {
    this.#stopping.abort()
    this.#stopWatching()
    const generationsStopped = this.#generations.stop()
    await this.#loop.stop()
    await generationsStopped
    const { cursors, generation } = this.#generations.current()
    await cursors.stop()
    // This process no longer consumes, so its readers continue like those of a process that never did.
    generation.readModel.acceptOlder()
    this.#releaseReads()
    this.#caughtUp.reject(new Error(`${this.#options.projection.name} was stopped`))
  }

  get caughtUp(): Promise<void> {
    return this.#caughtUp.promise
  }

  // Bound, because callers pass them on.
  readonly caughtUpIn = (): AbortSignal | undefined => {
    const signal = this.#caughtUpIn
    const isCaughtUp =
      signal?.aborted === false &&
      this.haltedBy() === undefined &&
      this.#readModel.current().name === this.#generations.current().generation.name
    return isCaughtUp ? signal : undefined
  }
  readonly isCaughtUp = (): boolean => this.caughtUpIn() !== undefined
  readonly haltedBy = (): Discontinuity | undefined => this.#loop.haltedBy()
  readonly counts = (): Readonly<Record<ApplyOutcome, number>> => ({ ...this.#counts })

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
    await this.#readModel.refresh('subscribing')
    // Waits for a move in progress.
    await this.#generations.inGeneration(async () => undefined)
  }

  #onContinuityChange(): void {
    this.#loop.discontinuitiesChanged()
    // A process that learns late of a rebuild may record the loss of the replaced read model.
    if (this.caughtUpIn())
      this.#continuity.rebuilt(this.#consumer, this.#generations.current().generation.readModel.epoch)
  }

  #consume(signal: AbortSignal): Promise<Subscription> {
    const { bus, group, projection, readsLogFirst } = this.#options
    return bus.consume({
      group: group ?? this.#consumer,
      topics: projection.topics,
      ...(readsLogFirst !== undefined && { readsLogFirst }),
      loadCursors: () => this.#loadCursors(),
      handle: async (deliveries) => {
        for (const [busPartition, own] of Map.groupBy(deliveries, (delivery) => delivery.busPartition)) {
          await this.#handle(signal, busPartition, own)
        }
      },
      onDiscontinuity: this.#gaps.onDiscontinuity,
      onUnreadableEvent: this.#caughtUp.reject,
      onCaughtUp: (reached) => this.#onCaughtUp(signal, reached),
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

  /** Handles the deliveries in this generation or, after a fence, in the next one. */
  #handle(signal: AbortSignal, busPartition: string, deliveries: readonly Delivery[]): Promise<void> {
    return retryWhileFenced(() => this.#handleOnce(signal, busPartition, deliveries), {
      signal: this.#stopping.signal,
      // A failed refresh is repeated by the next poll.
      onFenced: () => void this.#readModel.refresh('fenced').catch(() => undefined),
    })
  }

  #handleOnce(signal: AbortSignal, busPartition: string, deliveries: readonly Delivery[]): Promise<void> {
    return this.#generations.inGeneration(async (work) => {
      if (signal.aborted) throw new Error(`${this.#options.projection.name} resubscribes`)
      try {
        await work.handle(busPartition, deliveries)
      } catch (error) {
        this.#gaps.onFailure(error, work.generation.readModel)
        throw error
      }
      for (const { cursor } of deliveries) work.cursors.reached(busPartition, cursor)
    })
  }

  #onCaughtUp(signal: AbortSignal, reached: Cursors): void {
    if (signal.aborted) return
    const { cursors, generation } = this.#generations.current()
    for (const [busPartition, cursor] of Object.entries(reached)) cursors.reached(busPartition, cursor)
    this.#continuity.rebuilt(this.#consumer, generation.readModel.epoch)
    this.#caughtUpIn = signal
    this.#releaseReads()
    this.#caughtUp.resolve()
  }
}

/** Keeps a projection up to date in the active generation of its read model, until it is stopped. */
export const runProjection = async (options: ProjectionOptions): Promise<RunningProjection> => {
  const run = new ProjectionRun(options)
  await run.start()
  return run
}
