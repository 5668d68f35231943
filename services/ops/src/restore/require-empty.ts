import { statfsSync, statSync } from 'node:fs'
import { contentsOf } from '@portal/platform/restore/open-target'
import type { Config } from '@portal/platform/settings/config'
import { CommandError } from '../command.ts'
import { orSayWhy } from '../settings/open-sources.ts'
import { isFile } from '../settings/places.ts'

/** Throws where the event store holds anything: nothing is ever overwritten. */
export const requireEmpty = async (config: Pick<Config, 'dataDir' | 'eventStoreUrl'>): Promise<void> => {
  const { eventStoreUrl, dataDir } = config
  const contents = await orSayWhy('The event store', eventStoreUrl, () => contentsOf(config))
  if (contents === undefined) return
  const todo = isFile(eventStoreUrl)
    ? `Choose another data folder by DATA_DIR, or move events.db and user-keys.db out of ${dataDir}`
    : 'Choose an empty one by EVENT_STORE_URL'
  throw new CommandError(`The event store is not empty: it holds ${contents}. ${todo}`)
}

/** Copying and rebuilding need about twice the room of what is copied. */
const roomFactor = 2
const mebibyte = 1024 ** 2

/** Throws where the disk of the folder cannot hold what these files become. */
export const requireRoom = (folder: string, files: readonly string[]): void => {
  const needed = roomFactor * files.reduce((sum, file) => sum + statSync(file).size, 0)
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  if (free >= needed) return
  const [neededText, freeText] = [needed, free].map((bytes) => `${Math.ceil(bytes / mebibyte)} MiB`)
  throw new CommandError(`The disk of ${folder} has ${freeText} free, and ${neededText} are needed. Make room first`)
}
