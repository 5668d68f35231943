import type { ErasedKeysOnDisk } from '@portal/platform/operations/scavenge/erased-keys-tally'
import { erasedKeysText } from '../scavenge/erased-keys.ts'
import { type Finding, info, ok, warn } from './finding.ts'

const check = 'erased keys'

/** Erased users' keys that are still on a disk. */
export const findingOfErasedKeys = (found: ErasedKeysOnDisk, isSqlite: boolean): Finding => {
  const { keys, isAtLeast, scavengedAt } = found
  if (keys > 0) {
    const last = scavengedAt === undefined ? '' : `; the last scavenge was ${scavengedAt}`
    const todo = isSqlite
      ? 'make scavenge'
      : 'make scavenge ADMIN_URL=esdb://admin:…@host:2113, or switch its schedule on'
    return warn(check, `${erasedKeysText(found)} still on disk${last}`, todo)
  }
  return isAtLeast
    ? info(check, 'the log since the last scavenge is too long to search here; make scavenge counts them')
    : ok(check, 'none is left on disk')
}
