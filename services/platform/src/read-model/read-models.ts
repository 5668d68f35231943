import type { Logger } from 'pino'
import { type Continuity, forgetfulContinuity, watchContinuity } from '../discontinuity/continuity.ts'
import { projectionConsumer, wordsOf } from '../discontinuity/discontinuity.ts'
import { projectionKey, type ProjectionRef } from '../projection/projection-key.ts'
import { ReadModelEmptiedError } from './emptied.ts'
import {
  firstGeneration,
  generationOf,
  type Generations,
  generationsVersion,
  isBuilt,
  loadGenerations,
  servingGeneration,
} from './generations.ts'
import { createSealLifter } from './lift-seals.ts'
import { isLost, lostReadModel, missingFrom } from './lost.ts'
import type { ReadModel } from './port.ts'
import { createSlot, type Generation, type ServingReadModel, type Slot } from './serving-read-model.ts'
import { ReadModelUnavailableError } from './unavailable.ts'
import { ReadModelWentBackError } from './went-back.ts'

const pollEveryMs = 100
/** So seldom it is asked whether the control namespace is still the one that was opened. */
const looksPerCheck = 10
/** Requests that began on a generation may be reading it for a while after the switch. */
const keptAfterSwitchMs = 30_000

/** What is kept apart from the projections, and outlives every replay: generations, leads, cursors of effects. */
export const controlNamespace = 'control'

export type ReadModels = {
  /** The same for each call. Only for the projections that were named when the read models were opened. */
  of(projection: ProjectionRef): ServingReadModel
  /** Whether it has a generation of this version. Until then reads reject. */
  isBuilt(projection: ProjectionRef): boolean
  readonly control: ServingReadModel
  /** What is on record about gaps, in `control`. */
  readonly continuity: Continuity
  /** Rejects when one of them cannot serve. */
  check(): Promise<void>
  close(): Promise<void>
}

export type ReadModelsOptions = {
  /** Keys of those that this process projects, reads or waits for (projection/projection-key.ts). */
  readonly projections: readonly string[]
  readonly open: (namespace: string) => Promise<ReadModel>
  readonly logger: Logger
  /** The name of this process, for the records that it makes. */
  readonly process?: string
}

/** One that is damaged must not keep the process from serving the others. */
const openEvenIfLost = async (name: string, open: ReadModelsOptions['open']): Promise<Generation> => {
  try {
    return { name, readModel: await open(name) }
  } catch (error) {
    if (!isLost(error)) throw error
    return { name, readModel: lostReadModel(error) }
  }
}

const openAll = async (namespaces: readonly string[], open: ReadModelsOptions['open']): Promise<Generation[]> => {
  const opening = namespaces.map((name) => openEvenIfLost(name, open))
  const outcomes = await Promise.allSettled(opening)
  const opened = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []))
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed === undefined) return opened
  await Promise.all(opened.map(({ readModel }) => readModel.close()))
  throw failed.reason
}

const openServing = async (projections: readonly string[], open: ReadModelsOptions['open']) => {
  const control = await open(controlNamespace)
  try {
    const known = await loadGenerations(control)
    const keys = [...new Set(projections)]
    const built = keys.filter((key) => isBuilt(known, key))
    const opened = await openAll(
      built.map((key) => generationOf(known, key)),
      open,
    )
    const serving = built.flatMap((key, n) =>
      opened[n] ? [[key, servingGeneration(known, key, opened[n])] as const] : [],
    )
    const unbuilt = keys.filter((key) => !isBuilt(known, key)).map((key) => [key, notBuilt(key)] as const)
    return { control, known, serving: [...serving, ...unbuilt] }
  } catch (error) {
    await control.close()
    throw error
  }
}

/** Stands in for a generation until it has been built. */
const notBuilt = (key: string): Generation => ({
  name: `${key}-not-built`,
  readModel: lostReadModel(new ReadModelUnavailableError(`the read model ${key} has not been built yet`)),
})

/** Those that have been replaced, closed a while later. */
const closeLater = (logger: Logger) => {
  const waiting = new Map<Generation, NodeJS.Timeout>()
  const close = async (generation: Generation) => {
    waiting.delete(generation)
    const { name, readModel } = generation
    await readModel.close().catch((error: unknown) => logger.warn({ err: error, name }, 'A read model was not closed'))
  }
  return {
    add: (generation: Generation): void =>
      void waiting.set(generation, setTimeout(() => void close(generation), keptAfterSwitchMs).unref()),
    closeAll: async (): Promise<void> => {
      for (const timer of waiting.values()) clearTimeout(timer)
      await Promise.all([...waiting.keys()].map(close))
    },
  }
}

const emptied = 'the read models have been emptied: run make replay'
const lost = 'read-model-lost'

const isGone = (error: unknown): boolean =>
  error instanceof ReadModelEmptiedError || error instanceof ReadModelWentBackError

/** Never an incomplete answer: until it has been rebuilt there is none. */
const lossOf = (continuity: Pick<Continuity, 'open'>, consumer: string): Error | undefined => {
  const loss = continuity.open().find((one) => one.consumer === consumer && one.cause === lost)
  return loss && new ReadModelUnavailableError(wordsOf(loss))
}

const checkAll = async (readModels: readonly ReadModel[]): Promise<void> => {
  try {
    await Promise.all(readModels.map((readModel) => readModel.check()))
  } catch (error) {
    throw error instanceof ReadModelEmptiedError ? new Error(emptied, { cause: error }) : error
  }
}

/**
 * The read models of all projections, each in a namespace of its own that a replay can replace while it serves. What
 * serves is looked up now and then; that the processes of a portal switch at slightly different moments does no harm,
 * for by then the generation that goes is sealed and the one that comes has all that was in it.
 */
export const openReadModels = async (options: ReadModelsOptions): Promise<ReadModels> => {
  const { projections, open, logger, process = 'portal' } = options
  const opened = await openServing(projections, open)
  const control = createSlot({ name: controlNamespace, readModel: opened.control }, { lookForNext: () => undefined })
  const continuity = await watchContinuity({ control: control.serving, process, logger })
  const slots = new Map<string, Slot>()
  const replaced = closeLater(logger)
  const lifter = createSealLifter({
    control: control.serving,
    servingOf: (projection) => slots.get(projection)?.serving.atHand().readModel,
    logger,
  })
  let known: Generations = opened.known
  let looks = 0
  let isFailing = false
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined
  /** Those that were lost while this process had them open. */
  const lostNow = new WeakSet<ReadModel>()

  const look = (): Promise<void> => (looking ??= lookOnce().finally(() => (looking = undefined)))

  for (const [name, generation] of opened.serving) {
    const consumer = projectionConsumer(name)
    const lookForNext: ServingReadModel['lookForNext'] = (why) => {
      if (why === 'sealed') lifter.wasSealed(name)
      void look()
    }
    const onLost = (error: Error, { epoch }: ReadModel) =>
      continuity.record({ consumer, cause: 'read-model-lost', missing: missingFrom(error), epoch })
    const whyNotReadable = () => lossOf(continuity, consumer)
    const standsStill = () =>
      continuity.obstacleTo(consumer, slots.get(name)?.serving.atHand().readModel.epoch) !== undefined
    slots.set(name, createSlot(generation, { lookForNext, standsStill, whyNotReadable, onLost }))
  }

  const lookOnce = async (): Promise<void> => {
    try {
      const sealed = lifter.takeSealed()
      const version = await generationsVersion(control.serving)
      // Undefined when the control namespace was emptied: what serves is not given up for that.
      if (version !== undefined && version !== known.version) {
        const found = await loadGenerations(control.serving)
        for (const [name, slot] of slots) await moveTo(slot, name, found)
        known = found
      }
      await reopenRebuilt()
      known = await lifter.lift(known, sealed)
      looks++
      if (looks % looksPerCheck === 0) await control.serving.check()
      isFailing = false
    } catch (error) {
      if (isGone(error)) await reopenControl(error)
      else if (!isFailing && !isClosed)
        logger.warn({ err: error }, 'The generations of the read models cannot be looked up')
      isFailing = true
    }
  }

  const moveTo = async (slot: Slot, projection: string, found: Generations): Promise<void> => {
    if (!isBuilt(found, projection)) return
    const name = generationOf(found, projection)
    if (slot.serving.atHand().name === name) return
    const next = servingGeneration(found, projection, await openEvenIfLost(name, open))
    const before = slot.switchTo(next)
    replaced.add(before)
    logger.info({ projection, before: before.name, generation: name }, 'Another generation of the read model serves')
  }

  /** A process that started since has rebuilt it under the same name, which this connection does not see. */
  const reopenRebuilt = async (): Promise<void> => {
    for (const [projection, slot] of slots) {
      const { readModel } = slot.serving.atHand()
      const isOnRecord = continuity.obstacleTo(projectionConsumer(projection), readModel.epoch)?.cause === lost
      if (isOnRecord) lostNow.add(readModel)
      if (isOnRecord || !lostNow.has(readModel) || lossOf(continuity, projectionConsumer(projection))) continue
      const found = await loadGenerations(control.serving)
      const name = generationOf(found, projection)
      replaced.add(slot.switchTo(servingGeneration(found, projection, await openEvenIfLost(name, open))))
      logger.info({ projection, generation: name }, 'the read model was rebuilt, opening it again')
    }
  }

  /** Emptied or older, together with the read models: what there is now counts, and what is known here is recorded again. */
  const reopenControl = async (error: unknown): Promise<void> => {
    logger.error({ err: error }, emptied)
    try {
      replaced.add(control.switchTo({ name: controlNamespace, readModel: await open(controlNamespace) }))
    } catch (failure) {
      logger.warn({ err: failure }, 'the control namespace cannot be opened again, retrying')
    }
  }

  const poll = () => {
    timer = setTimeout(() => {
      void look().finally(() => {
        if (!isClosed) poll()
      })
    }, pollEveryMs)
  }
  poll()

  /** Those that are on record as lost are the continuity's to tell. */
  const inUse = () =>
    [...slots].flatMap(([name, { serving }]) => (lossOf(continuity, projectionConsumer(name)) ? [] : [serving]))

  return {
    control: control.serving,
    continuity,
    of(projection) {
      const key = projectionKey(projection)
      const slot = slots.get(key)
      if (slot === undefined) throw new Error(`The read model of '${key}' has not been opened by this process`)
      return slot.serving
    },
    isBuilt: (projection) => isBuilt(known, projectionKey(projection)),
    check: () => checkAll([control.serving, ...inUse()]),
    async close() {
      if (isClosed) return
      isClosed = true
      clearTimeout(timer)
      await looking
      await continuity.close()
      await replaced.closeAll()
      await Promise.all([...slots.values(), control].map(({ serving }) => serving.atHand().readModel.close()))
    },
  }
}

/** One namespace for everything and for ever, where nothing is to be replayed. */
export const readModelsOn = (readModel: ReadModel): ReadModels => {
  const serving = servingForEver(readModel)
  return {
    of: () => serving,
    isBuilt: () => true,
    control: serving,
    continuity: forgetfulContinuity({ error: () => undefined }),
    check: serving.check,
    close: () => readModel.close(),
  }
}

/** A read model that has one generation only. */
export const servingForEver = (readModel: ReadModel): ServingReadModel =>
  createSlot({ name: firstGeneration('only'), readModel }, { lookForNext: () => undefined }).serving
