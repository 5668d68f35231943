import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Generations, generationOf, isBuilt, loadGenerations } from '@portal/platform/generations/generations'
import type { ReadModel } from '@portal/platform/read-model/port'
import { projectionKey, type ProjectionRef } from '@portal/platform/read-model/projection-key'
import { controlNamespace } from '@portal/platform/generations/open-generations'
import type { Config } from '@portal/platform/settings/config'
import { readModelUrlOf } from '@portal/platform/files/storage-urls'
import { openReadModel } from '@portal/platform/adapters/open-adapters'
import { wrapEngineErrors } from './open-engines.ts'
import { fileOf, isFile } from './engine-addresses.ts'

/** What a projection's read model is at the moment. */
type Serving = { readonly generation: string; readonly readModel: ReadModel }

export type ServingReadModels = {
  /** Undefined when it has never been built. */
  of(projection: ProjectionRef): Promise<Serving | undefined>
  /** Where the cursors of effects are kept. Undefined before the first start. */
  readonly control: ReadModel | undefined
  /** A replay has claimed to build or switch generations, and has not said that it has ended. */
  readonly isReplaying: boolean
  close(): Promise<void>
}

/**
 * The read models as they serve now, for commands that look at them or take up parked messages. Opens what is asked for, and makes
 * none that is not there.
 */
export const openServingReadModels = async (config: Config): Promise<ServingReadModels> => {
  const opened = new Map<string, ReadModel>()

  const openExisting = async (namespace: string): Promise<ReadModel | undefined> => {
    const url = readModelUrlOf(config, namespace)
    if (isFile(url) && !existsSync(join(fileOf(url), `${namespace}.db`))) return undefined
    const known = opened.get(namespace)
    if (known) return known
    const readModel = await wrapEngineErrors('The read model', url, () => openReadModel(url, namespace))
    opened.set(namespace, readModel)
    return readModel
  }

  const control = await openExisting(controlNamespace)
  const generations = control && (await loadGenerations(control))
  const none: Generations = { version: undefined, serving: {}, droppable: [] }
  const servingOf = (projection: ProjectionRef): string | undefined => {
    const [known, key] = [generations ?? none, projectionKey(projection)]
    return isBuilt(known, key) ? generationOf(known, key) : undefined
  }

  return {
    control,
    isReplaying: generations?.claim !== undefined,
    of: async (projection) => {
      const generation = servingOf(projection)
      if (generation === undefined) return undefined
      const readModel = await openExisting(generation)
      return readModel && { generation, readModel }
    },
    close: async () => {
      await Promise.all([...opened.values()].map((readModel) => readModel.close()))
    },
  }
}

export const withServingReadModels = async <T>(
  config: Config,
  work: (readModels: ServingReadModels) => Promise<T>,
): Promise<T> => {
  const readModels = await openServingReadModels(config)
  try {
    return await work(readModels)
  } finally {
    await readModels.close()
  }
}
