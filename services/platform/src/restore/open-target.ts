import { existsSync } from 'node:fs'
import type { OpenCopyTarget } from '../backup/copy-targets.ts'
import { fingerprintOfKeys } from '../personal-data/stored-user-keys.ts'
import type { UserKeysTarget } from '../personal-data/user-keys-target.ts'
import type { Config } from '../settings/config.ts'
import { dataFiles } from '../files/data-folder.ts'
import { sqlitePathOf } from '../files/storage-urls.ts'
import { openEventLog, openEventStore } from '../adapters/open-adapters.ts'
import type { StoreTarget } from './copy-store.ts'
import { openMarks } from './open-marks.ts'

type Store = Pick<Config, 'dataDir' | 'eventStoreUrl'>

const hasEvents = async (url: string): Promise<boolean> => {
  const log = await openEventLog(url)
  try {
    return (await log.end()) !== 'start'
  } finally {
    await log.close()
  }
}

/** Describes the content of a store for an error message; undefined if it is empty or missing. Creates no files. */
export const contentsOf = async ({ dataDir, eventStoreUrl }: Store): Promise<string | undefined> => {
  const file = sqlitePathOf(eventStoreUrl)
  if (file === undefined) {
    if (await hasEvents(eventStoreUrl)) return 'events'
    const { fingerprintInEventStoreDb } = await import('../personal-data/eventstoredb-vault.ts')
    return (await fingerprintInEventStoreDb(eventStoreUrl)) === undefined ? undefined : 'user keys'
  }
  if (existsSync(file) && (await hasEvents(eventStoreUrl))) return `events in ${file}`
  const { userKeys } = dataFiles(dataDir)
  return fingerprintOfKeys(userKeys) === undefined ? undefined : `user keys in ${userKeys}`
}

const openLog = async (url: string): Promise<OpenCopyTarget> => {
  const { eventStoreCopyTarget, sqliteCopyTarget } = await import('../backup/copy-targets.ts')
  const file = sqlitePathOf(url)
  return file === undefined ? eventStoreCopyTarget(await openEventStore(url)) : sqliteCopyTarget(file)
}

const openKeys = async ({ dataDir, eventStoreUrl }: Store, masterKey: Uint8Array): Promise<UserKeysTarget> => {
  const { eventStoreDbKeysTarget, sqliteKeysTarget } = await import('../personal-data/user-keys-target.ts')
  const { userKeys, masterKey: masterKeyFile } = dataFiles(dataDir)
  const options = { masterKey, masterKeyFile }
  return sqlitePathOf(eventStoreUrl) === undefined
    ? eventStoreDbKeysTarget(eventStoreUrl, options)
    : sqliteKeysTarget(userKeys, options)
}

/** Opens the event store of a portal to copy into. The caller closes its marks. */
export const openTarget = async (store: Store, masterKey: Uint8Array): Promise<StoreTarget> => ({
  marks: await openMarks(store),
  openLog: () => openLog(store.eventStoreUrl),
  openKeys: () => openKeys(store, masterKey),
})
