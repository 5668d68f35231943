import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { folderEngines } from '@portal/platform/runtime/run-folder'
import { maxReasonChars, operatorName } from '@portal/platform/operations/operation'
import { type Config, loadConfig } from '@portal/platform/settings/config'
import { engineSettings, enginesFolder } from '../dev-engines/addresses.ts'
import { type Environment, isForPrograms } from '../output/print.ts'
import { fileOf, isFile, isKafka, displayAddressOf } from './engine-addresses.ts'

/**
 * Whether a process holds the lock of a data folder or of an event store. Only looks: taking the lock to find out could keep
 * a portal that starts at that moment from getting it.
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

/** A portal in one process holds its data folder for as long as it runs. */
export const isDataFolderTaken = (dataDir: string): boolean => isLocked(join(dataDir, 'lock.db'))

const addresses = ['EVENT_STORE_URL', 'BUS_URL', 'READ_MODEL_URL'] as const

/** That of a portal on one machine is held for as long as it runs. */
export const isStoreInUse = ({ eventStoreUrl }: Pick<Config, 'eventStoreUrl'>): boolean =>
  isFile(eventStoreUrl) && isLocked(`${fileOf(eventStoreUrl)}.lock`)

const hasStoreFile = ({ eventStoreUrl }: Pick<Config, 'eventStoreUrl'>): boolean =>
  isFile(eventStoreUrl) && existsSync(fileOf(eventStoreUrl))

/** False where a file would be made by opening it. */
export const hasStore = (config: Pick<Config, 'eventStoreUrl'>): boolean =>
  !isFile(config.eventStoreUrl) || hasStoreFile(config)

/**
 * The settings of the portal that a command is about: with the addresses that are set, else the portal of the data folder. That is
 * the one that runs there, or the one that ran there last. Where no folder is named and none has a portal in it, it is that of
 * the engines of `make engines-up`.
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

/** In a line. */
export const portalLine = ({ dataDir, eventStoreUrl, busUrl, readModelUrl }: Config): string =>
  isFile(eventStoreUrl) && !isKafka(busUrl) && isFile(readModelUrl)
    ? `Portal: one process, in ${dataDir}`
    : `Portal: ${[eventStoreUrl, busUrl, readModelUrl].map(displayAddressOf).join(', ')}; its data folder is ${dataDir}`

/** For a command: the same, and a line for people that says which portal that is. */
export const operatorConfig = async (environment: Environment): Promise<Config> => {
  const config = await chooseConfig(environment)
  if (!isForPrograms(environment)) process.stdout.write(`${portalLine(config)}\n`)
  return config
}

/** Who runs the command and, by `REASON='…'`, why: for the record of an operation. */
export const operatorAndReason = (environment: Environment): { readonly by: string; readonly reason?: string } => {
  const reason = (environment['REASON'] ?? '').trim().slice(0, maxReasonChars)
  return { by: operatorName(), ...(reason !== '' && { reason }) }
}
