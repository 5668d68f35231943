import type { Logger } from 'pino'
import { isOverBudget, yieldToEventLoop } from '../async/event-loop-budget.ts'
import type { Delivery } from '../bus/port.ts'
import { type BatchCommit, createBatchCommit, type OnOutcome } from '../projection/batch-commit.ts'
import { type CheckpointSaver, createCheckpointSaver } from '../projection/checkpoint-saver.ts'
import { createPartitionApplier } from '../projection/partition-applier.ts'
import type { Projection } from '../projection/projection.ts'
import type { ActiveGeneration, Generation } from './active-generation.ts'

export type GenerationWorker = {
  readonly generation: Generation
  readonly cursors: CheckpointSaver
  /** Applies deliveries of one bus partition. One call at a time per bus partition. */
  handle(busPartition: string, deliveries: readonly Delivery[]): Promise<void>
}

type WorkerOptions = {
  readonly projection: Projection
  readonly generation: Generation
  readonly consumer: string
  readonly logger: Logger
  readonly onOutcome: OnOutcome
  /** A cursor could not be saved. */
  readonly onFailure: (error: unknown) => void
}

/**
 * Applies a projection's messages in one generation of its read model. Cached positions, dead letters and cursors belong to that
 * generation. Each bus partition has its own batch, because several are handled concurrently.
 */
export const createGenerationWorker = (options: WorkerOptions): GenerationWorker => {
  const { projection, generation, consumer, logger, onOutcome, onFailure } = options
  const { readModel } = generation
  const batches = new Map<string, BatchCommit>()

  const batchOf = (busPartition: string): BatchCommit => {
    const known = batches.get(busPartition)
    if (known !== undefined) return known
    const made = createBatchCommit(readModel, createPartitionApplier({ projection, readModel, logger }), onOutcome)
    batches.set(busPartition, made)
    return made
  }

  const applyAll = async (batch: BatchCommit, deliveries: readonly Delivery[]) => {
    for (const { envelope } of deliveries) {
      // Commit before yielding, so no computed writes wait meanwhile.
      if (isOverBudget()) await batch.flush()
      await yieldToEventLoop()
      const partition = projection.partitionOf(envelope)
      if (partition !== undefined) await batch.add(partition, envelope)
    }
    await batch.flush()
  }

  return {
    generation,
    cursors: createCheckpointSaver(readModel, consumer, logger, onFailure),
    async handle(busPartition, deliveries) {
      const batch = batchOf(busPartition)
      try {
        await applyAll(batch, deliveries)
      } catch (error) {
        batch.discard()
        throw error
      }
    },
  }
}

type SwitcherOptions = {
  readonly projection: string
  readonly readModel: ActiveGeneration
  readonly logger: Logger
  workIn(generation: GenerationWorker['generation']): GenerationWorker
  /** Consumes again from the cursors of the current generation. Aborts the current subscription before it returns. */
  resubscribe(): void
  /** Called after work has moved to another generation. */
  onMoved(): void
}

export type GenerationSwitcher = {
  /** Runs work in the current generation. A switch waits for it. */
  inGeneration<T>(run: (worker: GenerationWorker) => Promise<T>): Promise<T>
  current(): GenerationWorker
  /** Waits for work in progress, then starts with empty caches from the stored cursors. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/**
 * Whether the next generation lacks messages that the previous one has applied. After an orderly cutover it lacks none, because the
 * previous one was fenced until the next had caught up. A process that considered the replay dead may have lifted the fence too early.
 */
const lacksMessages = async (
  projection: string,
  previous: GenerationWorker,
  next: GenerationWorker,
): Promise<boolean> => {
  try {
    await previous.generation.readModel.check()
    const applied = await previous.generation.readModel.positions(projection)
    const known = await next.generation.readModel.positions(projection)
    return Object.entries(applied).some(([partition, position]) => position > (known[partition] ?? ''))
  } catch {
    // Assume that it does: the next generation's own cursors never skip a message.
    return true
  }
}

/** Moves a runner's work to each new generation. It skips no message, and never works in two generations at once. */
export const createGenerationSwitcher = (options: SwitcherOptions): GenerationSwitcher => {
  const { projection, readModel, logger, workIn, resubscribe, onMoved } = options
  const inFlight = new Set<Promise<unknown>>()
  let current = workIn(readModel.current())
  let moving: Promise<void> | undefined
  let isStopped = false

  const move = async (): Promise<void> => {
    await Promise.allSettled(inFlight)
    const previous = current
    const next = workIn(readModel.current())
    await previous.cursors.stop()
    const isLacking = await lacksMessages(projection, previous, next)
    current = next
    logger.info({ projection, generation: next.generation.name, isLacking }, 'projection moved to another generation')
    if (isLacking) resubscribe()
    onMoved()
  }

  /** Compares read models, because a reopened generation has the same name but may be another namespace. */
  const isCurrent = (generation: Generation) => generation.readModel === current.generation.readModel

  const moveIfSwitched = () => {
    if (isStopped || moving !== undefined || isCurrent(readModel.current())) return
    moving = move().finally(() => {
      moving = undefined
      // Another switch may have happened meanwhile.
      moveIfSwitched()
    })
    // Callers of `inGeneration` get the rejection.
    moving.catch(() => undefined)
  }

  const stopListening = readModel.onSwitch(moveIfSwitched)

  return {
    current: () => current,
    async inGeneration(run) {
      while (moving !== undefined) await moving
      const running = run(current)
      inFlight.add(running)
      try {
        return await running
      } finally {
        inFlight.delete(running)
      }
    },
    async restart() {
      while (moving !== undefined) await moving
      await Promise.allSettled(inFlight)
      const previous = current
      await previous.cursors.discard()
      if (current === previous) current = workIn(previous.generation)
    },
    async stop() {
      isStopped = true
      stopListening()
      await moving
      await current.cursors.stop()
    },
  }
}
