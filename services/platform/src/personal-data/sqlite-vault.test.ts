import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
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
  it('waits for the lock of another process without blocking the event loop, and then names the file', async () => {
    await vault.encrypt('ann', 'Ann Lee')
    const file = join(folder, 'keys.db')
    const other = new DatabaseSync(file)
    other.exec('BEGIN IMMEDIATE')
    const outcomes = Promise.allSettled([vault.encrypt('ben', 'Ben'), vault.erase('ann'), vault.check()])
    for (let turns = 0; turns < 10; turns++) await nextTurn()
    other.exec('ROLLBACK')
    expect((await outcomes).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled'])
    other.exec('BEGIN IMMEDIATE')
    const says = `${file} is locked by another process: end that one (fuser ${file} names it)`
    await expect(vault.check()).rejects.toThrow(says)
    await expect(vault.encrypt('cem', 'Cem')).rejects.toThrow(says)
    other.close()
    await expect(vault.check()).resolves.toBeUndefined()
  })
  it('makes no key once its file was deleted, until it is back', async () => {
    const [file, aside] = [join(folder, 'keys.db'), join(folder, 'aside.db')]
    renameSync(file, aside)
    const says = `${file} was deleted while it is in use: put it back, or stop the portal and restore a backup`
    await expect(vault.check()).rejects.toThrow(says)
    await expect(vault.encrypt('ann', 'Ann Lee')).rejects.toThrow(says)
    renameSync(aside, file)
    await expect(vault.check()).resolves.toBeUndefined()
    expect(await vault.decrypt('ann', await vault.encrypt('ann', 'Ann Lee'))).toBe('Ann Lee')
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
