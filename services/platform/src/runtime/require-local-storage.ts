import { dirname } from 'node:path'
import type { Config } from './config.ts'
import { networkFileSystemOf } from './network-file-system.ts'
import { sqlitePathOf } from './sqlite-address.ts'

/** A database would be on a network file system. The message is one line that names the setting. */
export class NetworkFileSystemError extends Error {
  override readonly name = 'NetworkFileSystemError'
  readonly isUserFacing = true
}

type Storage = Pick<Config, 'dataDir' | 'eventStoreUrl' | 'readModelUrl'>
type NetworkFolder = { readonly setting: string; readonly folder: string; readonly fileSystem: string }

const foldersOf = ({ dataDir, eventStoreUrl, readModelUrl }: Storage): readonly (readonly [string, string])[] => {
  const [log, readModels] = [sqlitePathOf(eventStoreUrl), sqlitePathOf(readModelUrl)]
  return [
    ['DATA_DIR', dataDir],
    ...(log === undefined ? [] : [['EVENT_STORE_URL', dirname(log)] as const]),
    ...(readModels === undefined ? [] : [['READ_MODEL_URL', readModels] as const]),
  ]
}

/** The folders of databases that are on a network file system, each once. */
export const networkFoldersOf = (
  config: Storage,
  fileSystemOf: (path: string) => string | undefined = networkFileSystemOf,
): readonly NetworkFolder[] => {
  const found = foldersOf(config).flatMap(([setting, folder]): NetworkFolder[] => {
    const fileSystem = fileSystemOf(folder)
    return fileSystem === undefined ? [] : [{ setting, folder, fileSystem }]
  })
  return found.filter(({ folder }, index) => found.findIndex((other) => other.folder === folder) === index)
}

/**
 * Refuses network file systems: SQLite's locks and its write-ahead log do not work there, so two processes could write at once and
 * destroy the log.
 */
export const requireLocalStorage = (
  config: Storage,
  fileSystemOf: (path: string) => string | undefined = networkFileSystemOf,
): void => {
  const [first] = networkFoldersOf(config, fileSystemOf)
  if (first === undefined) return
  const { setting, folder, fileSystem } = first
  throw new NetworkFileSystemError(
    `${setting}: ${folder} is on a network file system (${fileSystem}), where two processes could damage its databases. Choose a folder on a disk of this machine`,
  )
}
