import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { type ErasureRecord, openErasureLog } from './erasure-log.ts'
import type { PersonalDataVault } from './port.ts'

/** Records each erasure before its key is destroyed: a restore can then never miss one. */
export const recordErasures = (vault: PersonalDataVault, erasuresFile: string): PersonalDataVault => {
  const erasures = openErasureLog(erasuresFile)
  return {
    ...vault,
    erase: async (userId) => {
      erasures.record(userId, new Date())
      return vault.erase(userId)
    },
  }
}

/** The users whose keys a database of keys says were destroyed. */
export const erasedInKeysFile = (keysFile: string): readonly ErasureRecord[] => {
  const database = new DatabaseSync(keysFile, { readOnly: true, timeout: 5_000 })
  try {
    return database
      .prepare('SELECT user_id, erased_at FROM user_keys WHERE erased_at IS NOT NULL ORDER BY erased_at')
      .all()
      .map((row) => ({ userId: String(row['user_id']), erasedAt: String(row['erased_at']) }))
  } finally {
    database.close()
  }
}

/** Erasures by earlier releases are on record in the keys' database only. */
export const recordEarlierErasures = (keysFile: string, erasuresFile: string): void => {
  if (!existsSync(erasuresFile)) openErasureLog(erasuresFile).recordAll(erasedInKeysFile(keysFile))
}
