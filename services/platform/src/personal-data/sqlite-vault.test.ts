import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PersonalDataVault } from './port.ts'
import { openSqliteVault } from './sqlite-vault.ts'
import { vaultContract } from '@portal/platform/testing/personal-data/vault-contract'

vaultContract('SQLite', async () => ({
  open: async (folder, options) => openSqliteVault({ keysFile: join(folder, 'keys.db'), ...options }),
  // The contract has just emptied the folder of the keys.
  reset: async () => undefined,
  dispose: async () => undefined,
}))

describe('the database of keys', () => {
  let folder: string
  let vault: PersonalDataVault
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'vault-'))
    vault = openSqliteVault({ keysFile: join(folder, 'keys.db'), masterKeyFile: join(folder, 'master.key') })
  })
  afterEach(async () => {
    await vault.close()
    rmSync(folder, { recursive: true })
  })

  it('has no copy of an erased key on disk', async () => {
    await vault.encrypt('ann', 'Ann Lee')
    const reader = new DatabaseSync(join(folder, 'keys.db'), { readOnly: true })
    const wrapped = reader.prepare('SELECT wrapped_key FROM user_keys').get()?.['wrapped_key']
    reader.close()
    if (!(wrapped instanceof Uint8Array)) throw new Error('expected a wrapped key')
    const onDisk = () =>
      readdirSync(folder).some((file) => readFileSync(join(folder, file)).includes(Buffer.from(wrapped)))
    expect(onDisk()).toBe(true)
    await vault.erase('ann')
    expect(onDisk()).toBe(false)
  })
  it('is readable by its owner only, including auxiliary files', () => {
    const modes = readdirSync(folder).map((file) => [file, (statSync(join(folder, file)).mode & 0o777).toString(8)])
    expect(Object.fromEntries(modes)).toEqual({
      'master.key': '600',
      'keys.db': '600',
      'keys.db-wal': '600',
      'keys.db-shm': '600',
    })
  })
})
