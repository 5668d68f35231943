import { existsSync } from 'node:fs'
import type { ErasedKeysOnDisk } from '@portal/platform/operations/scavenge/erased-keys-tally'
import { countDestroyedKeysIn } from '@portal/platform/personal-data/destroyed-keys'
import type { Config } from '@portal/platform/settings/config'
import { dataFiles } from '@portal/platform/files/data-folder'
import { counted } from '../output/format.ts'
import { isFile } from '../settings/engine-addresses.ts'

const searchTimeoutMs = 3_000

/** Counts keys of erased users that are still on disk. Undefined if there are no keys yet. */
export const erasedKeysOnDisk = async (
  { eventStoreUrl: url, dataDir }: Pick<Config, 'eventStoreUrl' | 'dataDir'>,
  timeoutMs = searchTimeoutMs,
): Promise<ErasedKeysOnDisk | undefined> => {
  if (!isFile(url)) {
    const { erasedKeysInEventStoreDb } = await import('@portal/platform/operations/scavenge/count-erased-keys')
    return erasedKeysInEventStoreDb(url, { timeoutMs })
  }
  const { userKeys } = dataFiles(dataDir)
  return existsSync(userKeys) ? { keys: countDestroyedKeysIn(userKeys), isAtLeast: false } : undefined
}

/** '3 erased keys', 'at least 3 erased keys'. */
export const erasedKeysText = ({ keys, isAtLeast }: ErasedKeysOnDisk): string =>
  `${isAtLeast ? 'at least ' : ''}${counted(keys, 'erased key')}`
