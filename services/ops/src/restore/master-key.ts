import { existsSync } from 'node:fs'
import { deriveKeys, loadMasterKey } from '@portal/platform/personal-data/master-key'
import type { Config } from '@portal/platform/settings/config'
import { dataFiles } from '@portal/platform/files/data-folder'
import { CommandError } from '../command.ts'

/** The master key of the portal that is copied into. Throws where it is missing, or is not the one of `fingerprint`. */
export const requireMasterKey = (
  { dataDir, masterKey }: Pick<Config, 'dataDir' | 'masterKey'>,
  fingerprint: string,
  what: string,
): Uint8Array => {
  const file = dataFiles(dataDir).masterKey
  if (masterKey === undefined && !existsSync(file)) {
    throw new CommandError(`There is no master key: put the key of ${what} at ${file}, or set MASTER_KEY`)
  }
  const key = masterKey ?? loadMasterKey(file, false)
  if (deriveKeys(key).fingerprint === fingerprint) return key
  const source = masterKey === undefined ? file : 'MASTER_KEY'
  throw new CommandError(`${source} is not the master key of ${what}: users could not log in. Use the right one`)
}
