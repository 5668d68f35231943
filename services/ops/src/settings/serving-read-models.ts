import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { dataFiles } from '@portal/platform/runtime/data-files'
import { firstGeneration, generationOf, loadGenerations } from '@portal/platform/read-model/generations'
import type { ReadModel } from '@portal/platform/read-model/port'
import { controlNamespace } from '@portal/platform/read-model/read-models'
import type { Config } from '@portal/platform/runtime/config'
import { openReadModel } from '@portal/platform/runtime/wire'
import { orSayWhy } from './open-sources.ts'
import { fileOf, isFile, isKafka } from './places.ts'

/** What a projection's read model is at the moment. */
export type Serving = { readonly generation: string; readonly readModel: ReadModel }

export type ServingReadModels = {
  /** Undefined when it has never been built. */
  of(projection: string): Promise<Serving | undefined>
  /** Where the cursors of effects are kept. Undefined before the first start. */
  readonly control: ReadModel | undefined
  /** A replay has claimed to build or switch generations, and has not said that it has ended. */
  readonly isReplaying: boolean
  close(): Promise<void>
}

/** The delivery ledger of a portal in one process is a file of its own; separate processes, which share all engines, a namespace. */
const ledgerNamespace = 'ledger'
const ledgerUrl = ({ eventStoreUrl, busUrl, readModelUrl, dataDir }: Config): string =>
  isFile(eventStoreUrl) || isFile(readModelUrl) || !isKafka(busUrl)
    ? `sqlite:${dataFiles(dataDir).ledger}`
    : readModelUrl

/**
 * The read models as they serve now, for commands that look at them or take up parked messages. Opens what is asked for, and makes
 * none that is not there.
 */
export const openServingReadModels = async (config: Config): Promise<ServingReadModels> => {
  const opened = new Map<string, ReadModel>()

  const openExisting = async (url: string, namespace: string): Promise<ReadModel | undefined> => {
    if (isFile(url) && !existsSync(join(fileOf(url), `${namespace}.db`))) return undefined
    const known = opened.get(namespace)
    if (known) return known
    const readModel = await orSayWhy('The read model', url, () => openReadModel(url, namespace))
    opened.set(namespace, readModel)
    return readModel
  }

  const control = await openExisting(config.readModelUrl, controlNamespace)
  const generations = control && (await loadGenerations(control))
  const servingOf = (projection: string): string =>
    generations === undefined ? firstGeneration(projection) : generationOf(generations, projection)

  return {
    control,
    isReplaying: generations?.claim !== undefined,
    of: async (projection) => {
      const isLedger = projection === ledgerNamespace
      const generation = isLedger ? ledgerNamespace : servingOf(projection)
      const readModel = await openExisting(isLedger ? ledgerUrl(config) : config.readModelUrl, generation)
      return readModel && { generation, readModel }
    },
    close: async () => {
      await Promise.all([...opened.values()].map((readModel) => readModel.close()))
    },
  }
}
