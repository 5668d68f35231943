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
  /** Applies what one bus partition delivered; of each bus partition one call at a time. */
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
 * A projection's work in one generation of its read model. Whatever is remembered (positions, parking, cursors) is of that
 * generation, and of one bus partition: several of them are worked on at once.
 */
export const createGenerationWorker = (options: WorkerOptions): GenerationWorker => {
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
        own.discard()
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
  /** Consume anew, from the cursors of the generation at hand. What is consumed so far is given up before it returns. */
  resubscribe(): void
  /** Work goes on in another generation. */
  onMoved(): void
}

export type GenerationSwitcher = {
  /** Runs a piece of work in the generation at hand, and ends it there whatever is switched meanwhile. */
  inGeneration<T>(piece: (work: GenerationWorker) => Promise<T>): Promise<T>
  current(): GenerationWorker
  /** Ends the work under way and begins with nothing remembered, from the stored cursors. */
  restart(): Promise<void>
  /** Resolves when another generation is at hand, or after the time, or when stopped. */
  waitForSwitch(timeoutMs: number): Promise<void>
  stop(): Promise<void>
}

/**
 * Whether something was applied in the generation that is left which has not been applied in the one that comes. After an
 * orderly handover nothing was: it had been sealed before the other one caught up. But the seal may have been lifted by
 * somebody who took the replay for dead; and what was emptied cannot tell.
 */
const lacksSomething = async (projection: string, left: GenerationWorker, next: GenerationWorker): Promise<boolean> => {
  try {
    await left.generation.readModel.check()
    const applied = await left.generation.readModel.positions(projection)
    const known = await next.generation.readModel.positions(projection)
    return Object.entries(applied).some(([partition, position]) => position > (known[partition] ?? ''))
  } catch {
    // It is only a question of where to go on, and the new generation's own cursors are never too far.
    return true
  }
}

/** Moves a runner's work from generation to generation: nothing is skipped, and nothing done in two at once. */
export const createGenerationSwitcher = (options: SwitcherOptions): GenerationSwitcher => {
  const { projection, readModel, logger, workIn, resubscribe, onMoved } = options
  const inFlight = new Set<Promise<unknown>>()
  const waiting = new Set<() => void>()
  let current = workIn(readModel.current())
  let moving: Promise<void> | undefined
  let isStopped = false

  const moveOn = async (): Promise<void> => {
    await Promise.allSettled(inFlight)
    const left = current
    const next = workIn(readModel.current())
    await left.cursors.stop()
    const isLacking = await lacksSomething(projection, left, next)
    current = next
    logger.info({ projection, generation: next.generation.name, isLacking }, 'Projecting into another generation')
    if (isLacking) resubscribe()
    onMoved()
  }

  /** One that was opened again has the same name, and may be another namespace. */
  const isCurrent = (generation: Generation) => generation.readModel === current.generation.readModel

  const wakeAll = () => {
    for (const resume of waiting) resume()
    waiting.clear()
  }

  const moveIfSwitched = () => {
    if (isStopped || moving !== undefined || isCurrent(readModel.current())) return
    moving = moveOn().finally(() => {
      moving = undefined
      // It may have been switched again meanwhile.
      moveIfSwitched()
    })
    // Whoever has work to do is told.
    moving.catch(() => undefined)
  }

  const stopListening = readModel.onSwitch(() => {
    moveIfSwitched()
    wakeAll()
  })

  return {
    current: () => current,
    async inGeneration(piece) {
      while (moving !== undefined) await moving
      const running = piece(current)
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
      const left = current
      await left.cursors.discard()
      if (current === left) current = workIn(left.generation)
    },
    async waitForSwitch(timeoutMs) {
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.add(resolve)
      const timer = setTimeout(resolve, timeoutMs)
      await promise
      clearTimeout(timer)
      waiting.delete(resolve)
    },
    async stop() {
      isStopped = true
      stopListening()
      wakeAll()
      await moving
      await current.cursors.stop()
    },
  }
}
