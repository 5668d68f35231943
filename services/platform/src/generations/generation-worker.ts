import type { Logger } from 'pino'
import { yieldToEventLoop, isOverBudget } from '../async/event-loop-budget.ts'
import type { Delivery } from '../bus/port.ts'
import type { Generation } from './active-generation.ts'
import { createPartitionApplier } from '../projection/partition-applier.ts'
import { type BatchCommit, createBatchCommit, type OnOutcome } from '../projection/batch-commit.ts'
import { type CheckpointSaver, createCheckpointSaver } from '../projection/checkpoint-saver.ts'
import type { Projection } from '../projection/projection.ts'

export type GenerationWorker = {
  readonly generation: Generation
  readonly cursors: CheckpointSaver
  /** Applies what one bus partition delivered; of each bus partition one call at a time. */
  handle(busPartition: string, deliveries: readonly Delivery[]): Promise<void>
}

type Options = {
  readonly projection: Projection
  readonly generation: Generation
  readonly consumer: string
  readonly logger: Logger
  readonly onOutcome: OnOutcome
  /** A cursor could not be saved. */
  readonly onFailure: (error: unknown) => void
}

/**
 * A projection's work in one generation of its read model. Whatever is remembered (positions, parking, cursors) is of that
 * generation, and of one bus partition: several of them are worked on at once.
 */
export const createGenerationWorker = (options: Options): GenerationWorker => {
  const { projection, generation, consumer, logger, onOutcome, onFailure } = options
  const { readModel } = generation
  const work = new Map<string, BatchCommit>()

  const workOf = (busPartition: string): BatchCommit => {
    const known = work.get(busPartition)
    if (known !== undefined) return known
    const made = createBatchCommit(readModel, createPartitionApplier({ projection, readModel, logger }), onOutcome)
    work.set(busPartition, made)
    return made
  }

  const handleInTurns = async (own: BatchCommit, deliveries: readonly Delivery[]) => {
    for (const { envelope } of deliveries) {
      // What has been computed is written before others get their turn: nothing lies about half done.
      if (isOverBudget()) await own.flush()
      await yieldToEventLoop()
      const partition = projection.partitionOf(envelope)
      if (partition !== undefined) await own.add(partition, envelope)
    }
    await own.flush()
  }

  return {
    generation,
    cursors: createCheckpointSaver(readModel, consumer, logger, onFailure),
    async handle(busPartition, deliveries) {
      const own = workOf(busPartition)
      try {
        await handleInTurns(own, deliveries)
      } catch (error) {
        own.forget()
        throw error
      }
    },
  }
}
