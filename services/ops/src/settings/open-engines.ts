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

/** Turns errors of an engine into a CommandError. Unlike a portal, a command does not wait for an unavailable engine. */
export const wrapEngineErrors = async <T>(what: string, url: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await withTimeout(work(), answerTimeoutMs, 'the response')
  } catch (error) {
    if (error instanceof CommandError) throw error
    const message = `${what} at ${displayAddressOf(url)} cannot be used: ${errorLine(error, url)}`
    throw new CommandError(message, { cause: error })
  }
}

/** Opens the log for reading. Safe while a portal uses it. */
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

/** There are no user keys yet, as before the first start. */
export class NoVaultError extends CommandError {}

export const withLog = async <T>(
  config: Pick<Config, 'eventStoreUrl'>,
  work: (log: EventLog) => Promise<T>,
): Promise<T> => {
  const log = await openLog(config)
  try {
    return await work(log)
  } finally {
    await log.close()
  }
}

/** Whether there are user keys. Throws if they are missing or belong to another portal. */
const hasVault = async (config: Config, keysFile: string): Promise<boolean> => {
  const { eventStoreUrl } = config
  if (!isFile(eventStoreUrl)) return withLog(config, async (log) => (await log.end()) !== 'start')
  if (existsSync(fileOf(eventStoreUrl))) await withLog(config, (log) => requireUserKeys(log, keysFile))
  return existsSync(keysFile)
}

/** Opens the vault without creating a master key or choosing one for an empty event store. */
export const openExistingVault = async (config: Config): Promise<PersonalDataVault> => {
  const { userKeys: keysFile, masterKey: masterKeyFile, erasures: erasuresFile } = dataFiles(config.dataDir)
  const { eventStoreUrl, masterKey } = config
  if (!(await hasVault(config, keysFile)))
    throw new NoVaultError('There are no user keys yet: is DATA_DIR the portal’s?')
  if (masterKey === undefined && !existsSync(masterKeyFile))
    throw new CommandError(`There is no master key at ${masterKeyFile}, nor is MASTER_KEY set`)
  return openVault(eventStoreUrl, { keysFile, masterKeyFile, masterKey, erasuresFile })
}
