import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { folderEngines } from '@portal/platform/runtime/run-folder'
import { requireOwnFiles } from '@portal/platform/files/own-files'
import { maxReasonChars, operatorName } from '@portal/platform/operations/operation'
import { type Config, loadConfig } from '@portal/platform/settings/config'
import { engineSettings, enginesFolder } from '../dev-engines/addresses.ts'
import { type Environment, isJsonOutput } from '../output/print.ts'
import { fileOf, isFile, isKafka, displayAddressOf } from './engine-addresses.ts'

/**
 * Whether a process holds the lock of a data folder or an event store. Does not take the lock, which could block a portal that starts at
 * the same time.
 */
const isLocked = (lockFile: string): boolean => {
  if (!existsSync(lockFile)) return false
  const lock = new DatabaseSync(lockFile, { readOnly: true, timeout: 0 })
  try {
    lock.prepare('SELECT count(*) FROM sqlite_schema').get()
    return false
  } catch (error) {
    if (error instanceof Error && error.message.includes('locked')) return true
    throw error
  } finally {
    lock.close()
  }
}

/** Whether a standalone portal is running on the data folder. */
export const isDataFolderInUse = (dataDir: string): boolean => isLocked(join(dataDir, 'lock.db'))

const addresses = ['EVENT_STORE_URL', 'BUS_URL', 'READ_MODEL_URL'] as const

/** Whether a portal is using the SQLite event store. */
export const isStoreInUse = ({ eventStoreUrl }: Pick<Config, 'eventStoreUrl'>): boolean =>
  isFile(eventStoreUrl) && isLocked(`${fileOf(eventStoreUrl)}.lock`)

const hasStoreFile = ({ eventStoreUrl }: Pick<Config, 'eventStoreUrl'>): boolean =>
  isFile(eventStoreUrl) && existsSync(fileOf(eventStoreUrl))

/** Whether the event store exists. Opening a missing SQLite file would create it. */
export const hasStore = (config: Pick<Config, 'eventStoreUrl'>): boolean =>
  !isFile(config.eventStoreUrl) || hasStoreFile(config)

/**
 * Chooses the portal for a command: the one at the addresses that are set, otherwise the current or last portal of the data folder. If
 * DATA_DIR is not set and the default folder has no portal, it is the one on the engines of `make engines-up`.
 */
export const chooseConfig = async (environment: Environment): Promise<Config> => {
  const config = loadConfig(environment)
  if (addresses.some((name) => environment[name]) || isStoreInUse(config)) return config
  const recorded = folderEngines(config.dataDir)
  if (recorded) return loadConfig({ ...environment, ...recorded })
  if (environment['DATA_DIR'] || hasStoreFile(config)) return config
  const engines = await engineSettings(enginesFolder(environment))
  return engines === undefined ? config : loadConfig({ ...environment, ...engines })
}

/** One line that identifies the portal. */
export const portalLine = ({ dataDir, eventStoreUrl, busUrl, readModelUrl }: Config): string =>
  isFile(eventStoreUrl) && !isKafka(busUrl) && isFile(readModelUrl)
    ? `Portal: one process, in ${dataDir}`
    : `Portal: ${[eventStoreUrl, busUrl, readModelUrl].map(displayAddressOf).join(', ')}; its data folder is ${dataDir}`

/** Chooses the portal for a command that only reads, and prints which one it is. */
export const readingConfig = async (environment: Environment): Promise<Config> => {
  const config = await chooseConfig(environment)
  if (!isJsonOutput(environment)) process.stdout.write(`${portalLine(config)}\n`)
  return config
}

/** Chooses the portal for a command that writes. Throws a ForeignFilesError if another user owns the portal's files. */
export const operatorConfig = async (environment: Environment): Promise<Config> => {
  const config = await readingConfig(environment)
  requireOwnFiles(config.dataDir)
  return config
}

/** The operator and REASON='…', for the recorded operation. */
export const operatorAndReason = (environment: Environment): { readonly by: string; readonly reason?: string } => {
  const reason = (environment['REASON'] ?? '').trim().slice(0, maxReasonChars)
  return { by: operatorName(), ...(reason !== '' && { reason }) }
}
