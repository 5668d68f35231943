import type { Envelope } from '@portal/contracts/shared/event-envelope'
import type { Logger } from 'pino'
import { growingPauses } from '../bus/growing-pauses.ts'
import type { Bus, Delivery, Subscription } from '../bus/port.ts'
import { ReadModelEmptiedError } from '../read-model/emptied.ts'
import type { ReadModel } from '../read-model/port.ts'
import { servingForEver } from '../read-model/read-models.ts'
import { ReadModelSealedError } from '../read-model/sealed.ts'
import type { ServingReadModel } from '../read-model/serving-read-model.ts'
import type { Outcome } from './apply-in-partition.ts'
import { followGenerations } from './follow-generations.ts'
import type { Projection } from './projection.ts'
import { workInGeneration } from './work-in-generation.ts'

/** A seal is lifted or followed by a switch within a moment; so often a batch waits for that before the bus is told. */
const waitsForSwitch = 10
const waitForSwitchMs = 500

export type ProjectionOptions = {
  readonly projection: Projection
  readonly bus: Bus
  /** What `ReadModels.of` answers, or a read model that no replay touches. */
  readonly readModel: ReadModel | ServingReadModel
  readonly logger: Logger
  /** The bus group, if it must not share the work with another runner of the projection: a rebuild's. */
  readonly group?: string
  /** After a message's writes have been committed. */
  onApplied?(partition: string, envelope: Envelope): void
}

export type RunningProjection = {
  /** Resolves once it has seen all that was there when it looked; rejects when stopped before. */
  readonly caughtUp: Promise<void>
  /** Messages since the start; 'known' are those that came again. */
  counts(): Readonly<Record<Outcome, number>>
  /** After the batch under way. */
  stop(): Promise<void>
}

/** The name under which a projection's cursors are kept, and under which it consumes. */
export const projectionGroup = (projection: string): string => `projection:${projection}`

/** Keeps one projection up to date for as long as it runs, in whichever generation of its read model serves. */
export const runProjection = async (options: ProjectionOptions): Promise<RunningProjection> => {
  const { projection, bus, logger, onApplied } = options
  const { name } = projection
  const readModel = 'atHand' in options.readModel ? options.readModel : servingForEver(options.readModel)
  const consumer = projectionGroup(name)
  const counts = { applied: 0, known: 0, parked: 0 }
  const abort = new AbortController()
  const { signal } = abort
  const emptied = new Set<string>()

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
      }),
    startOver: () => {
      consuming++
      restarting = restarting.then(consumeAnew)
    },
  })

  const noticeEmptied = (generation: string, error: unknown) => {
    readModel.lookForNext('emptied')
    if (emptied.has(generation)) return
    emptied.add(generation)
    logger.error({ err: error, projection: name }, 'The read model has been emptied; it stands still until a replay')
  }

  const handleOnce = (mine: number, busPartition: string, deliveries: readonly Delivery[]): Promise<void> =>
    generations.inGeneration(async (work) => {
      if (mine !== consuming) throw new Error(`${name} consumes anew`)
      try {
        await work.handle(busPartition, deliveries)
      } catch (error) {
        if (error instanceof ReadModelEmptiedError) noticeEmptied(work.generation.name, error)
        throw error
      }
      for (const { cursor } of deliveries) work.cursors.reached(busPartition, cursor)
    })

  /** Until it is done, in this generation or in the next. */
  const handle = async (mine: number, busPartition: string, deliveries: readonly Delivery[]): Promise<void> => {
    for (let waits = 0; ; waits++) {
      try {
        return await handleOnce(mine, busPartition, deliveries)
      } catch (error) {
        if (!(error instanceof ReadModelSealedError) || waits >= waitsForSwitch || signal.aborted) throw error
        readModel.lookForNext('sealed')
        await generations.next(waitForSwitchMs)
      }
    }
  }

  const caughtUp = Promise.withResolvers<void>()
  // Whoever does not wait for it must not be ended by it.
  caughtUp.promise.catch(() => undefined)

  const consume = (mine: number): Promise<Subscription> =>
    bus.consume({
      group: options.group ?? consumer,
      topics: projection.topics,
      loadCursors: () => generations.current().cursors.load(),
      async handle(deliveries) {
        for (const [busPartition, own] of Map.groupBy(deliveries, (delivery) => delivery.busPartition)) {
          await handle(mine, busPartition, own)
        }
      },
      onCaughtUp(reached) {
        if (mine !== consuming) return
        const { cursors } = generations.current()
        for (const [busPartition, cursor] of Object.entries(reached)) cursors.reached(busPartition, cursor)
        caughtUp.resolve()
      },
    })

  const consumeAnew = async (): Promise<void> => {
    const pauses = growingPauses({ firstMs: 50, mostMs: 5_000 })
    const mine = consuming
    const before = await subscription
    await before.stop()
    while (!signal.aborted && mine === consuming) {
      try {
        const next = consume(mine)
        await next
        subscription = next
        return
      } catch (error) {
        logger.error({ err: error, projection: name }, 'The projection cannot consume anew yet')
        await pauses.pause(signal)
      }
    }
  }

  /** Which of the subscriptions, one after the other, is the one that counts. */
  let consuming = 0
  let restarting: Promise<void> = Promise.resolve()
  let subscription = consume(consuming)
  await subscription

  return {
    caughtUp: caughtUp.promise,
    counts: () => ({ ...counts }),
    async stop() {
      abort.abort()
      const generationsStopped = generations.stop()
      await restarting
      await (await subscription).stop()
      await generationsStopped
      await generations.current().cursors.stop()
      caughtUp.reject(new Error(`${name} was stopped`))
    },
  }
}
