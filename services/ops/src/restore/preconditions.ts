import { existsSync, statfsSync, statSync } from 'node:fs'
import { dataFiles, openDataFolder } from '@portal/platform/files/data-folder'
import { requireLocalStorage } from '@portal/platform/files/local-storage'
import { deriveKeys, loadMasterKey } from '@portal/platform/personal-data/master-key'
import { contentsOf } from '@portal/platform/restore/open-target'
import type { Config } from '@portal/platform/settings/config'
import { CommandError } from '../command.ts'
import { wrapEngineErrors } from '../settings/open-engines.ts'
import { isFile } from '../settings/engine-addresses.ts'
import { processesStatus } from '../status/processes-status.ts'

/** Throws a CommandError if the event store is not empty, so that no data is overwritten. */
export const requireEmpty = async (config: Pick<Config, 'dataDir' | 'eventStoreUrl'>): Promise<void> => {
  const { eventStoreUrl, dataDir } = config
  const contents = await wrapEngineErrors('The event store', eventStoreUrl, () => contentsOf(config))
  if (contents === undefined) return
  const todo = isFile(eventStoreUrl)
    ? `Set DATA_DIR to another folder, or move events.db and user-keys.db out of ${dataDir}`
    : 'Set EVENT_STORE_URL to an empty one'
  throw new CommandError(`The event store is not empty: it contains ${contents}. ${todo}`)
}

/** Copying and rebuilding need about twice the size of the files. */
const spaceFactor = 2
const mebibyte = 1024 ** 2

/** Throws a CommandError if the disk of the folder has too little space for these files. */
export const requireRoom = (folder: string, files: readonly string[]): void => {
  const needed = spaceFactor * files.reduce((sum, file) => sum + statSync(file).size, 0)
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  if (free >= needed) return
  const [neededText, freeText] = [needed, free].map((bytes) => `${Math.ceil(bytes / mebibyte)} MiB`)
  throw new CommandError(
    `The disk of ${folder} has ${freeText} free, but ${neededText} are needed. Free some space first`,
  )
}

/** The master key of the target portal. Throws a CommandError if it is missing or does not have this fingerprint. */
export const requireMasterKey = (
  { dataDir, masterKey }: Pick<Config, 'dataDir' | 'masterKey'>,
  fingerprint: string,
  what: string,
): Uint8Array => {
  const file = dataFiles(dataDir).masterKey
  if (masterKey === undefined && !existsSync(file)) {
    throw new CommandError(`There is no master key: put the key of ${what} at ${file}, or set MASTER_KEY`)
  }
  const key = masterKey ?? loadMasterKey(file, false)
  if (deriveKeys(key).fingerprint === fingerprint) return key
  const source = masterKey === undefined ? file : 'MASTER_KEY'
  throw new CommandError(`${source} is not the master key of ${what}: users could not log in. Use the right one`)
}

const requireNoProcess = async (dataDir: string): Promise<void> => {
  // After a crash, another program may have the process id, so only a process with a health route counts.
  const running = (await processesStatus(dataDir)).filter(({ health }) => (health?.status ?? 'unknown') !== 'unknown')
  if (running.length === 0) return
  const names = running.map(({ process, pid }) => `${process} (process ${pid})`).join(', ')
  throw new CommandError(`The portal of ${dataDir} is running: ${names}. Stop it first`)
}

/** Runs `work` while the data folder is locked, so that no portal can start. Throws if one is running. */
export const whilePortalIsStopped = async <T>(config: Config, work: () => Promise<T>): Promise<T> => {
  requireLocalStorage(config)
  await requireNoProcess(config.dataDir)
  const folder = openDataFolder(config.dataDir)
  try {
    return await work()
  } finally {
    folder.release()
  }
}
