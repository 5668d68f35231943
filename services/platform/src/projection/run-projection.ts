import type { Envelope } from '@portal/contracts/shared/event-envelope'
import type { Logger } from 'pino'
import type { Bus, Delivery } from '../bus/port.ts'
import { breathe, isOutOfBreath } from '../bus/time-slice.ts'
import type { ReadModel } from '../read-model/port.ts'
import { type Outcome, prepareApply } from './apply-in-partition.ts'
import { applyTogether } from './apply-together.ts'
import { keepCursors } from './keep-cursors.ts'
import type { Projection } from './projection.ts'

export type ProjectionOptions = {
  readonly projection: Projection
  readonly bus: Bus
  readonly readModel: ReadModel
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

/** Keeps one projection up to date for as long as it runs. */
export const runProjection = async (options: ProjectionOptions): Promise<RunningProjection> => {
  const { projection, bus, readModel, logger, onApplied } = options
  const consumer = projectionGroup(projection.name)
  const cursors = keepCursors(readModel, consumer, logger)
  const counts = { applied: 0, known: 0, parked: 0 }
  const work = applyTogether(
    readModel,
    prepareApply({ projection, readModel, logger }),
    (outcome, partition, envelope) => {
      counts[outcome]++
      if (outcome === 'applied') onApplied?.(partition, envelope)
    },
  )

  const handleInTurns = async (deliveries: readonly Delivery[]) => {
    for (const { envelope } of deliveries) {
      // What has been computed is written before others get their turn: nothing lies about half done.
      if (isOutOfBreath()) await work.flush()
      await breathe()
      const partition = projection.partitionOf(envelope)
      if (partition !== undefined) await work.add(partition, envelope)
    }
    await work.flush()
  }

  const handle = async (deliveries: readonly Delivery[]) => {
    try {
      await handleInTurns(deliveries)
    } catch (error) {
      work.forget()
      throw error
    }
    for (const { busPartition, cursor } of deliveries) cursors.reached(busPartition, cursor)
  }

  const caughtUp = Promise.withResolvers<void>()
  // Whoever does not wait for it must not be ended by it.
  caughtUp.promise.catch(() => undefined)
  const subscription = await bus.consume({
    group: options.group ?? consumer,
    topics: projection.topics,
    loadCursors: cursors.load,
    handle,
    onCaughtUp(reached) {
      for (const [busPartition, cursor] of Object.entries(reached)) cursors.reached(busPartition, cursor)
      caughtUp.resolve()
    },
  })

  return {
    caughtUp: caughtUp.promise,
    counts: () => ({ ...counts }),
    async stop() {
      await subscription.stop()
      await cursors.stop()
      caughtUp.reject(new Error(`${projection.name} was stopped`))
    },
  }
}
