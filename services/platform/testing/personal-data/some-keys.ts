import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { PersonalDataVault } from '../../src/personal-data/port.ts'
import { openSqliteVault } from '../../src/personal-data/sqlite-vault.ts'
import { readUserKeys } from '../../src/personal-data/stored-user-keys.ts'
import type { UserKeysTarget } from '../../src/personal-data/user-keys-target.ts'

/** A vault with keys for Ann and Ben, and a destroyed key for Cem. */
export const vaultWithSomeKeys = async (folder: string) => {
  const masterKey = randomBytes(32)
  const keysFile = join(folder, 'user-keys.db')
  const vault = openSqliteVault({ keysFile, masterKeyFile: join(folder, 'master.key'), masterKey })
  const encrypted = {
    ann: await vault.encrypt('ann', 'Ann Lee'),
    ben: await vault.encrypt('ben', 'Ben Ode'),
    cem: await vault.encrypt('cem', 'Cem Kaya'),
  }
  await vault.erase('cem')
  await vault.close()
  return { masterKey, keysFile, encrypted }
}

export const copySomeKeys = async (keysFile: string, target: UserKeysTarget): Promise<void> => {
  for (const keys of readUserKeys(keysFile)) await target.put(keys)
  await target.close()
}

export const expectCopied = async (
  vault: PersonalDataVault,
  encrypted: Awaited<ReturnType<typeof vaultWithSomeKeys>>['encrypted'],
): Promise<void> => {
  expect(await vault.decrypt('ann', encrypted.ann)).toBe('Ann Lee')
  expect(await vault.decrypt('ben', encrypted.ben)).toBe('Ben Ode')
  expect(await vault.decrypt('cem', encrypted.cem)).toBeUndefined()
}
