import type { Logger } from 'pino'
import { ReadModelEmptiedError } from './emptied.ts'
import { firstGeneration, generationOf, type Generations, generationsVersion, loadGenerations } from './generations.ts'
import { createSealLifter } from './lift-seals.ts'
import type { ReadModel } from './port.ts'
import { createSlot, type Generation, type ServingReadModel, type Slot } from './serving-read-model.ts'

const pollEveryMs = 100
/** So seldom it is asked whether the control namespace is still the one that was opened. */
const looksPerCheck = 10
/** Requests that began on a generation may be reading it for a while after the switch. */
const keptAfterSwitchMs = 30_000

/** What is kept apart from the projections, and outlives every replay: generations, leads, cursors of effects. */
export const controlNamespace = 'control'

export type ReadModels = {
  /** The same for each call. Only for the projections that were named when the read models were opened. */
  of(projection: { readonly name: string }): ServingReadModel
  readonly control: ReadModel
  /** Rejects when one of them cannot serve. */
  check(): Promise<void>
  close(): Promise<void>
}

export type ReadModelsOptions = {
  /** Names of those that this process projects, reads or waits for. */
  readonly projections: readonly string[]
  readonly open: (namespace: string) => Promise<ReadModel>
  readonly logger: Logger
}

const openAll = async (namespaces: readonly string[], open: ReadModelsOptions['open']): Promise<Generation[]> => {
  const opening = namespaces.map(async (name): Promise<Generation> => ({ name, readModel: await open(name) }))
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
    const names = [...new Set(projections)]
    const opened = await openAll(
      names.map((name) => generationOf(known, name)),
      open,
    )
    return { control, known, serving: names.flatMap((name, n) => (opened[n] ? [[name, opened[n]] as const] : [])) }
  } catch (error) {
    await control.close()
    throw error
  }
}

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
export const openReadModels = async ({ projections, open, logger }: ReadModelsOptions): Promise<ReadModels> => {
  const opened = await openServing(projections, open)
  const control = createSlot({ name: controlNamespace, readModel: opened.control }, () => undefined)
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

  const look = (): Promise<void> => (looking ??= lookOnce().finally(() => (looking = undefined)))

  for (const [name, generation] of opened.serving) {
    const lookForNext = (why: 'sealed' | 'emptied') => {
      if (why === 'sealed') lifter.wasSealed(name)
      void look()
    }
    slots.set(name, createSlot(generation, lookForNext))
  }

  const lookOnce = async (): Promise<void> => {
    try {
      const sealed = lifter.takeSealed()
      const version = await generationsVersion(control.serving)
      // Undefined when the control namespace was emptied: what serves is not given up for that.
      if (version !== undefined && version !== known.version) {
        const found = await loadGenerations(control.serving)
        for (const [name, slot] of slots) await moveTo(slot, name, generationOf(found, name))
        known = found
      }
      known = await lifter.lift(known, sealed)
      looks++
      if (looks % looksPerCheck === 0) await checkControl()
      isFailing = false
    } catch (error) {
      if (!isFailing && !isClosed) logger.warn({ err: error }, 'The generations of the read models cannot be looked up')
      isFailing = true
    }
  }

  const moveTo = async (slot: Slot, projection: string, name: string): Promise<void> => {
    if (slot.serving.atHand().name === name) return
    const readModel = await open(name)
    const before = slot.switchTo({ name, readModel })
    replaced.add(before)
    logger.info({ projection, before: before.name, generation: name }, 'Another generation of the read model serves')
  }

  /** Emptied together with the read models it is made anew: a replay is about to say there what serves. */
  const checkControl = async (): Promise<void> => {
    try {
      await control.serving.check()
    } catch (error) {
      if (!(error instanceof ReadModelEmptiedError)) throw error
      logger.error({ err: error }, emptied)
      replaced.add(control.switchTo({ name: controlNamespace, readModel: await open(controlNamespace) }))
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

  return {
    control: control.serving,
    of({ name }) {
      const slot = slots.get(name)
      if (slot === undefined) throw new Error(`The read model of '${name}' has not been opened by this process`)
      return slot.serving
    },
    check: () => checkAll([control, ...slots.values()].map(({ serving }) => serving)),
    async close() {
      if (isClosed) return
      isClosed = true
      clearTimeout(timer)
      await looking
      await replaced.closeAll()
      await Promise.all([...slots.values(), control].map(({ serving }) => serving.atHand().readModel.close()))
    },
  }
}

/** One namespace for everything and for ever, where nothing is to be replayed. */
export const readModelsOn = (readModel: ReadModel): ReadModels => {
  const serving = servingForEver(readModel)
  return { of: () => serving, control: readModel, check: serving.check, close: () => readModel.close() }
}

/** A read model that has one generation only. */
export const servingForEver = (readModel: ReadModel): ServingReadModel =>
  createSlot({ name: firstGeneration('only'), readModel }, () => undefined).serving
