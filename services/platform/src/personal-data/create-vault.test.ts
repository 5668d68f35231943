import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { indexOnlyVault } from './create-vault.ts'
import { deriveKeys } from './master-key.ts'
import { openSqliteVault } from './sqlite-vault.ts'

it('computes the same indexes as the vault with the master key, and decrypts nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vault-'))
  const masterKey = Buffer.alloc(32, 0xab)
  const full = openSqliteVault({
    keysFile: join(folder, 'keys.db'),
    masterKeyFile: join(folder, 'master.key'),
    masterKey,
  })
  const encrypted = await full.encrypt('user-1', 'Asha')
  const { index } = deriveKeys(masterKey)
  const lesser = indexOnlyVault(index)

  expect(lesser.index('request', 'text')).toBe(full.index('request', 'text'))
  await expect(lesser.decrypt('user-1', encrypted)).rejects.toThrow('INDEX_KEY only')
  await expect(lesser.encrypt('user-1', 'Asha')).rejects.toThrow('INDEX_KEY only')
  await expect(lesser.erase('user-1')).rejects.toThrow('INDEX_KEY only')
  // Derivation is one-way: the index key does not reveal the master key.
  expect(Buffer.from(index)).not.toEqual(masterKey)
  await full.close()
  rmSync(folder, { recursive: true })
})
