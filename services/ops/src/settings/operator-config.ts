import { type Config, loadConfig } from '@portal/platform/runtime/config'
import { engineSettings } from '../../../../deploy/engines/addresses.ts'
import { enginesFolder } from '../../../../deploy/engines/engine.ts'
import type { Environment } from '../output/print.ts'
import { isLocked } from './is-locked.ts'
import { fileOf, isFile } from './places.ts'

const addresses = ['EVENT_STORE_URL', 'BUS_URL', 'READ_MODEL_URL'] as const

/** That of a portal on one machine is held for as long as it runs. */
export const isStoreInUse = ({ eventStoreUrl }: Pick<Config, 'eventStoreUrl'>): boolean =>
  isFile(eventStoreUrl) && isLocked(`${fileOf(eventStoreUrl)}.lock`)

/**
 * The settings of the portal that a command is about. Where no address is set these are the engines of `make engines-up`, as they
 * are for `make run-distributed`; unless a portal on one machine has the data folder at the moment.
 */
export const operatorConfig = async (environment: Environment): Promise<Config> => {
  const config = loadConfig(environment)
  if (addresses.some((name) => environment[name]) || isStoreInUse(config)) return config
  const engines = await engineSettings(enginesFolder(environment))
  return engines === undefined ? config : loadConfig({ ...environment, ...engines })
}
