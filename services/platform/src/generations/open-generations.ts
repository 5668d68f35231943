import type { Logger } from 'pino'
import { isDataLoss, ReadModelUnavailableError } from '../read-model/errors.ts'
import type { ReadModel } from '../read-model/port.ts'
import type { Generation } from './active-generation.ts'
import { activeGeneration, generationOf, isBuilt, loadGenerations } from './generations.ts'

/** The namespace that outlives every replay: generations, leases, cursors of reactors, discontinuities. */
export const controlNamespace = 'control'

/** Requests that began in a generation may still read it after a switch. */
const closeAfterSwitchMs = 30_000

export type OpenNamespace = (namespace: string) => Promise<ReadModel>

/** Stands in for a read model that cannot be opened, so that the process serves the others. Rejects every call. */
const unreadableReadModel = (cause: Error): ReadModel => {
  const lost = async (): Promise<never> => {
    throw cause
  }
  return {
    // No namespace has this epoch.
    epoch: 'lost',
    lineage: () => 'lost',
    get: lost,
    getMany: lost,
    entry: lost,
    entries: lost,
    range: lost,
    commit: lost,
    commitAll: lost,
    putImmutable: lost,
    position: lost,
    positions: lost,
    positionIds: lost,
    whenApplied: lost,
    loadCursors: lost,
    saveCursor: lost,
    partitions: lost,
    digest: lost,
    rows: lost,
    fence: lost,
    unfence: lost,
    acceptOlder: () => undefined,
    check: lost,
    close: async () => undefined,
  }
}

/** Never rejects for data loss, so the process serves the other read models. */
export const openEvenIfLost = async (name: string, open: OpenNamespace): Promise<Generation> => {
  try {
    return { name, readModel: await open(name) }
  } catch (error) {
    if (!isDataLoss(error)) throw error
    return { name, readModel: unreadableReadModel(error) }
  }
}

/** Stands in for a generation until it has been built. */
const notBuilt = (key: string): Generation => ({
  name: `${key}-not-built`,
  readModel: unreadableReadModel(new ReadModelUnavailableError(`the read model ${key} has not been built yet`)),
})

const openAll = async (namespaces: readonly string[], open: OpenNamespace): Promise<Generation[]> => {
  const outcomes = await Promise.allSettled(namespaces.map((name) => openEvenIfLost(name, open)))
  const opened = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []))
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed === undefined) return opened
  await Promise.all(opened.map(({ readModel }) => readModel.close()))
  throw failed.reason
}

/** Opens the active generation of each projection, by its key. Closes all of them when one fails. */
export const openGenerations = async (projections: readonly string[], open: OpenNamespace) => {
  const control = await open(controlNamespace)
  try {
    const known = await loadGenerations(control)
    const keys = [...new Set(projections)]
    const built = keys.filter((key) => isBuilt(known, key))
    const opened = await openAll(
      built.map((key) => generationOf(known, key)),
      open,
    )
    const generations = new Map(keys.map((key) => [key, notBuilt(key)]))
    for (const [index, key] of built.entries()) {
      const generation = opened[index]
      if (generation !== undefined) generations.set(key, activeGeneration(known, key, generation))
    }
    return { control, known, generations }
  } catch (error) {
    await control.close()
    throw error
  }
}

export type GenerationCloser = {
  closeLater(generation: Generation): void
  closeAll(): Promise<void>
}

/** Closes replaced generations after a delay. */
export const createGenerationCloser = (logger: Logger): GenerationCloser => {
  const waiting = new Map<Generation, NodeJS.Timeout>()
  const close = async (generation: Generation) => {
    waiting.delete(generation)
    const { name, readModel } = generation
    await readModel.close().catch((error: unknown) => logger.warn({ err: error, name }, 'read model not closed'))
  }
  return {
    closeLater: (generation) =>
      void waiting.set(generation, setTimeout(() => void close(generation), closeAfterSwitchMs).unref()),
    async closeAll() {
      for (const timer of waiting.values()) clearTimeout(timer)
      await Promise.all([...waiting.keys()].map(close))
    },
  }
}
