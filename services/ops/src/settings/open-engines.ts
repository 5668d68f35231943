import { existsSync } from 'node:fs'
import { withTimeout } from '@portal/platform/async/timeout'
import { dataFiles } from '@portal/platform/files/data-folder'
import type { EventStore } from '@portal/platform/event-store/port'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import { requireUserKeys } from '@portal/platform/personal-data/require-user-keys'
import type { Config } from '@portal/platform/settings/config'
import { openEventLog, openVault } from '@portal/platform/adapters/open-adapters'
import { CommandError } from '../command.ts'
import { errorLine, fileOf, isFile, displayAddressOf } from './engine-addresses.ts'

export type EventLog = Omit<EventStore, 'append'>

const answerTimeoutMs = 10_000

/** An engine that does not answer is nothing that a command can wait for, as a portal does. */
export const wrapEngineErrors = async <T>(what: string, url: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await withTimeout(work(), answerTimeoutMs, 'the answer')
  } catch (error) {
    if (error instanceof CommandError) throw error
    const message = `${what} at ${displayAddressOf(url)} cannot be used: ${errorLine(error, url)}`
    throw new CommandError(message, { cause: error })
  }
}

/** Only reads, also while a portal has it. */
export const openLog = async ({ eventStoreUrl }: Pick<Config, 'eventStoreUrl'>): Promise<EventLog> => {
  if (isFile(eventStoreUrl) && !existsSync(fileOf(eventStoreUrl))) {
    throw new CommandError(`There is no event store at ${fileOf(eventStoreUrl)}: is DATA_DIR the portal's?`)
  }
  return wrapEngineErrors('The event store', eventStoreUrl, async () => {
    const log = await openEventLog(eventStoreUrl)
    await log.check()
    return log
  })
}

/** There is no vault yet, as before the first start. */
export class NoVaultError extends CommandError {}

export const withLog = async <T>(
  config: Pick<Config, 'eventStoreUrl'>,
  ask: (log: EventLog) => Promise<T>,
): Promise<T> => {
  const log = await openLog(config)
  try {
    return await ask(log)
  } finally {
    await log.close()
  }
}

/** Whether something has been sealed. Throws when the users' keys are missing, or another portal's. */
const isVaultThere = async (config: Config, keysFile: string): Promise<boolean> => {
  const { eventStoreUrl } = config
  if (!isFile(eventStoreUrl)) return withLog(config, async (log) => (await log.end()) !== 'start')
  if (existsSync(fileOf(eventStoreUrl))) await withLog(config, (log) => requireUserKeys(log, keysFile))
  return existsSync(keysFile)
}

/** A command only looks: it neither makes a master key nor chooses one for an event store that has none yet. */
export const openExistingVault = async (config: Config): Promise<PersonalDataVault> => {
  const { userKeys: keysFile, masterKey: masterKeyFile, erasures: erasuresFile } = dataFiles(config.dataDir)
  const { eventStoreUrl, masterKey } = config
  if (!(await isVaultThere(config, keysFile)))
    throw new NoVaultError('Nothing has been sealed there yet: is DATA_DIR the portal’s?')
  if (masterKey === undefined && !existsSync(masterKeyFile))
    throw new CommandError(`There is no master key at ${masterKeyFile}, nor is MASTER_KEY set`)
  return openVault(eventStoreUrl, { keysFile, masterKeyFile, masterKey, erasuresFile })
}
