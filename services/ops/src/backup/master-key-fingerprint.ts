import { existsSync } from 'node:fs'
import { dataFiles } from '@portal/platform/files/data-folder'
import { deriveKeys, loadMasterKey } from '@portal/platform/personal-data/master-key'
import type { Config } from '@portal/platform/settings/config'

/** Identifies the portal whose backups are wanted. Undefined on a machine without its master key. */
export const masterKeyFingerprint = ({
  dataDir,
  masterKey,
}: Pick<Config, 'dataDir' | 'masterKey'>): string | undefined => {
  if (masterKey !== undefined) return deriveKeys(masterKey).fingerprint
  const { masterKey: file } = dataFiles(dataDir)
  return existsSync(file) ? deriveKeys(loadMasterKey(file, false)).fingerprint : undefined
}
