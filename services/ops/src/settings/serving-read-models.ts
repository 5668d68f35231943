import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  differingKeys,
  type Generations,
  generationOf,
  isBuilt,
  loadGenerations,
} from '@portal/platform/generations/generations'
import type { ReadModel } from '@portal/platform/read-model/port'
import { projectionKey, type ProjectionRef } from '@portal/platform/read-model/projection-key'
import { controlNamespace } from '@portal/platform/generations/open-generations'
import type { Config } from '@portal/platform/settings/config'
import { readModelUrlOf } from '@portal/platform/files/storage-urls'
import { openReadModel } from '@portal/platform/adapters/open-adapters'
import { wrapEngineErrors } from './open-engines.ts'
import { fileOf, isFile } from './engine-addresses.ts'

/** The active generation of a projection. */
type Serving = { readonly generation: string; readonly readModel: ReadModel }

export type ServingReadModels = {
  /** Undefined if it was never built. */
  of(projection: ProjectionRef): Promise<Serving | undefined>
  /** The namespace with the cursors of reactors. Undefined before the first start. */
  readonly control: ReadModel | undefined
  /** A replay holds the replay lock, or was interrupted. */
  readonly isReplaying: boolean
  /** The last replay found that the active generation differs from the log. */
  differsFromLog(projection: ProjectionRef): boolean
  close(): Promise<void>
}

/**
 * Opens the active read models, for commands that read them or retry dead letters. Opens them on demand and creates none.
 */
export const openServingReadModels = async (config: Config): Promise<ServingReadModels> => {
  const opened = new Map<string, Promise<ReadModel>>()

  const openExisting = async (namespace: string): Promise<ReadModel | undefined> => {
    const url = readModelUrlOf(config, namespace)
    if (isFile(url) && !existsSync(join(fileOf(url), `${namespace}.db`))) return undefined
    const opening =
      opened.get(namespace) ?? wrapEngineErrors('The read model', url, () => openReadModel(url, namespace))
    opened.set(namespace, opening)
    return opening
  }

  const control = await openExisting(controlNamespace)
  const generations = control && (await loadGenerations(control))
  const none: Generations = { version: undefined, serving: {}, droppable: [] }
  const differing = differingKeys(generations ?? none)
  const servingOf = (projection: ProjectionRef): string | undefined => {
    const [known, key] = [generations ?? none, projectionKey(projection)]
    return isBuilt(known, key) ? generationOf(known, key) : undefined
  }

  return {
    control,
    isReplaying: generations?.claim !== undefined,
    differsFromLog: (projection) => differing.includes(projectionKey(projection)),
    of: async (projection) => {
      const generation = servingOf(projection)
      if (generation === undefined) return undefined
      const readModel = await openExisting(generation)
      return readModel && { generation, readModel }
    },
    close: async () => {
      const readModels = await Promise.allSettled(opened.values())
      await Promise.all(readModels.map((readModel) => readModel.status === 'fulfilled' && readModel.value.close()))
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
