import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { MasterKeyError } from './master-key.ts'
import { openSqliteVault } from './sqlite-vault.ts'
import { fingerprintOfKeys, readUserKeys } from './stored-user-keys.ts'
import { copySomeKeys, expectCopied, vaultWithSomeKeys } from '@portal/platform/testing/personal-data/some-keys'
import { sqliteKeysTarget } from './user-keys-target.ts'

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'keys-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

test('RS-5 copied keys decrypt the data, and destroyed keys stay destroyed', async () => {
  const [from, to] = [newFolder(), newFolder()]
  const source = await vaultWithSomeKeys(from)
  const keysFile = join(to, 'user-keys.db')
  const options = { masterKey: source.masterKey, masterKeyFile: join(to, 'master.key') }
  for (let times = 0; times < 2; times++) await copySomeKeys(source.keysFile, await sqliteKeysTarget(keysFile, options))
  const vault = openSqliteVault({ keysFile, ...options })
  await expectCopied(vault, source.encrypted)
  await vault.erase('ann')
  await vault.close()
  await copySomeKeys(source.keysFile, await sqliteKeysTarget(keysFile, options))
  const again = openSqliteVault({ keysFile, ...options })
  expect(await again.decrypt('ann', source.encrypted.ann)).toBeUndefined()
  await again.close()
})

test('RS-5 the keys of another master key are rejected', async () => {
  const [from, to] = [newFolder(), newFolder()]
  const source = await vaultWithSomeKeys(from)
  const options = { masterKeyFile: join(to, 'master.key') }
  await (await sqliteKeysTarget(join(to, 'user-keys.db'), { masterKey: source.masterKey, ...options })).close()
  const other = sqliteKeysTarget(join(to, 'user-keys.db'), { masterKey: randomBytes(32), ...options })
  await expect(other).rejects.toThrow(MasterKeyError)
})

test('keys are read in batches of any size, with the fingerprint of their master key', async () => {
  const source = await vaultWithSomeKeys(newFolder())
  const ids = (batch: number) => [...readUserKeys(source.keysFile, batch)].flat().map(({ userId }) => userId)
  expect(ids(1)).toEqual(['ann', 'ben', 'cem'])
  expect(ids(2)).toEqual(['ann', 'ben', 'cem'])
  expect(ids(3)).toEqual(['ann', 'ben', 'cem'])
  expect(fingerprintOfKeys(source.keysFile)).toMatch(/^[0-9a-f]{64}$/)
  expect(fingerprintOfKeys('/nowhere/user-keys.db')).toBeUndefined()
})
