import { existsSync } from 'node:fs'
import { dataFiles } from '@portal/platform/files/data-folder'
import { deriveKeys, loadMasterKey, MasterKeyError } from '@portal/platform/personal-data/master-key'
import { fingerprintOfKeys } from '@portal/platform/personal-data/stored-user-keys'
import type { Config } from '@portal/platform/settings/config'
import { CommandError } from '../command.ts'
import { isFile } from '../settings/engine-addresses.ts'
import { wrapEngineErrors } from '../settings/open-engines.ts'

type KeySettings = Pick<Config, 'dataDir' | 'masterKey' | 'eventStoreUrl'>

/** The master key on this machine, and the one of the portal. */
type MasterKey = {
  /** Identifies the portal, also among backups. Of the key here if the portal has no user keys. */
  readonly fingerprint: string | undefined
  /** The key here; undefined without one. */
  readonly key: Uint8Array | undefined
  /**
   * One line that names a wrong or missing key. A missing one is no problem if the portal's keys are in EventStoreDB: then the portal runs
   * elsewhere, and only it needs the key.
   */
  readonly problem: string | undefined
  /** One line if the portal's user keys could not be read, so that the key here was not compared with them. */
  readonly notCompared: string | undefined
}

const where = 'docs/backup.md says where it is kept'

const keyHere = ({ dataDir, masterKey }: KeySettings): Uint8Array | undefined => {
  const { masterKey: file } = dataFiles(dataDir)
  return masterKey ?? (existsSync(file) ? loadMasterKey(file, false) : undefined)
}

/** Of the key that wrapped the portal's user keys; undefined without user keys. */
const recordedFingerprint = async ({ dataDir, eventStoreUrl }: KeySettings): Promise<string | undefined> => {
  if (isFile(eventStoreUrl)) {
    const { userKeys } = dataFiles(dataDir)
    return wrapEngineErrors('The database of user keys', `sqlite:${userKeys}`, async () => fingerprintOfKeys(userKeys))
  }
  const { fingerprintInEventStoreDb } = await import('@portal/platform/personal-data/eventstoredb-vault')
  return wrapEngineErrors('The event store', eventStoreUrl, () => fingerprintInEventStoreDb(eventStoreUrl))
}

const problemOf = (settings: KeySettings, here: string | undefined, ofPortal: string | undefined) => {
  const { masterKey: file } = dataFiles(settings.dataDir)
  if (here === undefined)
    return isFile(settings.eventStoreUrl)
      ? `There is no master key at ${file}, nor is MASTER_KEY set: ${where}`
      : undefined
  if (ofPortal === undefined || here === ofPortal) return undefined
  return `${settings.masterKey === undefined ? file : 'MASTER_KEY'} is not the master key of this portal: ${where}`
}

const fingerprintOfPortal = async (settings: KeySettings) => {
  try {
    return { ofPortal: await recordedFingerprint(settings), notCompared: undefined }
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    return { ofPortal: undefined, notCompared: error.message }
  }
}

/** Compares the key on this machine with the portal's. Backups can be found and checked while the event store is down. */
export const findMasterKey = async (settings: KeySettings): Promise<MasterKey> => {
  const { ofPortal, notCompared } = await fingerprintOfPortal(settings)
  try {
    const key = keyHere(settings)
    const here = key && deriveKeys(key).fingerprint
    return { fingerprint: ofPortal ?? here, key, problem: problemOf(settings, here, ofPortal), notCompared }
  } catch (error) {
    if (!(error instanceof MasterKeyError)) throw error
    return { fingerprint: ofPortal, key: undefined, problem: error.message, notCompared }
  }
}

/** For a command that needs the key: throws a CommandError if it is wrong or missing. */
export const requireKeyOf = ({ key, problem }: MasterKey): Uint8Array | undefined => {
  if (problem === undefined) return key
  throw new CommandError(`${problem}. Without it nothing shows whether the keys in a backup can be decrypted`)
}
