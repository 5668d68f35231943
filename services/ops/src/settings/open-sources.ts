import { existsSync } from 'node:fs'
import { dataFiles } from '@portal/platform/runtime/data-files'
import type { EventStore } from '@portal/platform/event-store/port'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import type { Config } from '@portal/platform/runtime/config'
import { openEventLog, openVault } from '@portal/platform/runtime/wire'
import { CommandError } from '../command.ts'

export type EventLog = Omit<EventStore, 'append'>

const sqlite = 'sqlite:'
export const isFile = (url: string): boolean => url.startsWith(sqlite)
export const isKafka = (url: string): boolean => /^kafka(\+ssl)?:/.test(url)
export const isRedis = (url: string): boolean => /^rediss?:/.test(url)
export const fileOf = (url: string): string => url.slice(sqlite.length)

/** Only reads, also while a portal has it. */
export const openLog = async ({ eventStoreUrl }: Pick<Config, 'eventStoreUrl'>): Promise<EventLog> => {
  if (isFile(eventStoreUrl) && !existsSync(fileOf(eventStoreUrl))) {
    throw new CommandError(`There is no event store at ${fileOf(eventStoreUrl)}: is DATA_DIR the portal's?`)
  }
  return openEventLog(eventStoreUrl)
}

/** There is no vault yet, as before the first start. */
export class NoVaultError extends CommandError {}

const isLogEmpty = async (config: Config): Promise<boolean> => {
  const log = await openLog(config)
  try {
    return (await log.end()) === 'start'
  } finally {
    await log.close()
  }
}

/** A command only looks: it neither makes a master key nor chooses one for an event store that has none yet. */
export const openExistingVault = async (config: Config): Promise<PersonalDataVault> => {
  const { userKeys: keysFile, masterKey: masterKeyFile } = dataFiles(config.dataDir)
  const { eventStoreUrl, masterKey } = config
  const isThere = isFile(eventStoreUrl) ? existsSync(keysFile) : !(await isLogEmpty(config))
  if (!isThere) throw new NoVaultError('Nothing has been sealed there yet: is DATA_DIR the portal’s?')
  if (masterKey === undefined && !existsSync(masterKeyFile))
    throw new CommandError(`There is no master key at ${masterKeyFile}, nor is MASTER_KEY set`)
  return openVault(eventStoreUrl, { keysFile, masterKeyFile, masterKey })
}
