import type { Logger } from 'pino'
import { firstGeneration, generationOf, type Generations, generationsVersion, loadGenerations } from './generations.ts'
import type { ReadModel } from './port.ts'
import { createSlot, type Generation, type ServingReadModel, type Slot } from './serving-read-model.ts'

const pollEveryMs = 100
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

const openAll = async (namespaces: readonly string[], open: ReadModelsOptions['open']) => {
  const outcomes = await Promise.allSettled(namespaces.map(open))
  const opened = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []))
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed === undefined) return opened
  await Promise.all(opened.map((readModel) => readModel.close()))
  throw failed.reason
}

/**
 * The read models of all projections, each in a namespace of its own that a replay can replace while it serves. What
 * serves is looked up now and then; that the processes of a portal switch at slightly different moments does no harm,
 * for by then the generation that goes is sealed and the one that comes has all that was in it.
 */
export const openReadModels = async ({ projections, open, logger }: ReadModelsOptions): Promise<ReadModels> => {
  const control = await open(controlNamespace)
  const known = await loadGenerations(control)
  const names = [...new Set(projections)]
  const generations = await openAll(
    names.map((name) => generationOf(known, name)),
    open,
  ).catch(async (error: unknown) => {
    await control.close()
    throw error
  })

  let version = known.version
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined
  let isFailing = false
  const closing = new Map<ReadModel, NodeJS.Timeout>()
  const slots = new Map<string, Slot>()

  const look = (): Promise<void> => (looking ??= lookOnce().finally(() => (looking = undefined)))
  const lookForNext = () => void look()

  for (const [index, name] of names.entries()) {
    const readModel = generations[index]
    if (readModel !== undefined)
      slots.set(name, createSlot({ name: generationOf(known, name), readModel }, lookForNext))
  }

  const lookOnce = async (): Promise<void> => {
    try {
      const now = await generationsVersion(control)
      // Undefined when the control document is lost: what serves is not given up for that.
      if (now === undefined || now === version) return
      const found = await loadGenerations(control)
      for (const [name, slot] of slots) await moveTo(slot, name, found)
      version = found.version
      isFailing = false
    } catch (error) {
      if (!isFailing && !isClosed) logger.warn({ err: error }, 'The generations of the read models cannot be looked up')
      isFailing = true
    }
  }

  const moveTo = async (slot: Slot, projection: string, found: Generations): Promise<void> => {
    const name = generationOf(found, projection)
    if (slot.serving.atHand().name === name) return
    const next: Generation = { name, readModel: await open(name) }
    if (isClosed) return next.readModel.close()
    const before = slot.switchTo(next)
    logger.info({ projection, before: before.name, generation: name }, 'Another generation of the read model serves')
    closing.set(
      before.readModel,
      setTimeout(() => void closeLater(before), keptAfterSwitchMs),
    )
  }

  const closeLater = async ({ name, readModel }: Generation): Promise<void> => {
    closing.delete(readModel)
    await readModel.close().catch((error: unknown) => logger.warn({ err: error, name }, 'A read model was not closed'))
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
    control,
    of({ name }) {
      const slot = slots.get(name)
      if (slot === undefined) throw new Error(`The read model of '${name}' has not been opened by this process`)
      return slot.serving
    },
    async check() {
      await Promise.all([control.check(), ...[...slots.values()].map(({ serving }) => serving.check())])
    },
    async close() {
      if (isClosed) return
      isClosed = true
      clearTimeout(timer)
      await looking
      for (const pending of closing.values()) clearTimeout(pending)
      const current = [...slots.values()].map(({ serving }) => serving.atHand().readModel)
      await Promise.all([...current, ...closing.keys(), control].map((readModel) => readModel.close()))
    },
  }
}

/** One namespace for everything and for ever, where nothing is to be replayed. */
export const readModelsOn = (readModel: ReadModel): ReadModels => {
  const { serving } = createSlot({ name: firstGeneration('only'), readModel }, () => undefined)
  return { of: () => serving, control: readModel, check: serving.check, close: () => readModel.close() }
}
