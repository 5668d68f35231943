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
export const fileOf = (url: string): string => url.slice(sqlite.length)

/** Only reads, also while a portal has it. */
export const openLog = async ({ eventStoreUrl }: Pick<Config, 'eventStoreUrl'>): Promise<EventLog> => {
  if (isFile(eventStoreUrl) && !existsSync(fileOf(eventStoreUrl))) {
    throw new CommandError(`There is no event store at ${fileOf(eventStoreUrl)}: is DATA_DIR the portal's?`)
  }
  return openEventLog(eventStoreUrl)
}

/** Makes none where there is none: a command only looks. */
export const openExistingVault = async (config: Config): Promise<PersonalDataVault> => {
  const { userKeys: keysFile, masterKey: masterKeyFile } = dataFiles(config.dataDir)
  if (isFile(config.eventStoreUrl) && !existsSync(keysFile))
    throw new CommandError(`There are no user keys at ${keysFile}`)
  return openVault(config.eventStoreUrl, { keysFile, masterKeyFile, masterKey: config.masterKey })
}
