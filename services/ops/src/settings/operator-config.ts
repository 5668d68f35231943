import { existsSync } from 'node:fs'
import { type Config, loadConfig } from '@portal/platform/settings/config'
import { folderEngines } from '@portal/platform/runtime/run-folder'
import { engineSettings, enginesFolder } from '../dev-engines/addresses.ts'
import { type Environment, isForPrograms } from '../output/print.ts'
import { isLocked } from './is-locked.ts'
import { fileOf, isFile, isKafka, placeOf } from './places.ts'

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
    : `Portal: ${[eventStoreUrl, busUrl, readModelUrl].map(placeOf).join(', ')}; its data folder is ${dataDir}`

/** For a command: the same, and a line for people that says which portal that is. */
export const operatorConfig = async (environment: Environment): Promise<Config> => {
  const config = await chooseConfig(environment)
  if (!isForPrograms(environment)) process.stdout.write(`${portalLine(config)}\n`)
  return config
}
