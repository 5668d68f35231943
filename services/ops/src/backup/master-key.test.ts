import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteVault } from '@portal/platform/personal-data/sqlite-vault'
import { dataFiles } from '@portal/platform/files/data-folder'
import { loadConfig } from '@portal/platform/settings/config'
import { expect, it, onTestFinished } from 'vitest'
import { findMasterKey, requireKeyOf } from './master-key.ts'

const otherKey = randomBytes(32).toString('hex')

/** A portal with the keys of one user. */
const newPortal = async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'master-key-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const { masterKey, userKeys } = dataFiles(dataDir)
  const vault = openSqliteVault({ keysFile: userKeys, masterKeyFile: masterKey })
  await vault.encrypt('anna', 'Anna')
  await vault.close()
  const settings = (more = {}) => loadConfig({ DATA_DIR: dataDir, ...more })
  const { fingerprint } = await findMasterKey(settings())
  return { settings, masterKey, fingerprint }
}

it('finds the right key', async () => {
  const { settings, fingerprint } = await newPortal()
  const found = await findMasterKey(settings())
  expect(found).toEqual({ fingerprint, key: expect.any(Buffer), problem: undefined, notCompared: undefined })
  expect(requireKeyOf(found)).toBe(found.key)
})

it('names a wrong key, and still recognizes the backups of the portal', async () => {
  const { settings, masterKey, fingerprint } = await newPortal()
  const wrongSetting = await findMasterKey(settings({ MASTER_KEY: otherKey }))
  expect(wrongSetting.fingerprint).toBe(fingerprint)
  expect(wrongSetting.problem).toMatch(/^MASTER_KEY is not the master key of this portal: docs\/backup\.md/)
  writeFileSync(masterKey, otherKey)
  const wrongFile = await findMasterKey(settings())
  expect(wrongFile.fingerprint).toBe(fingerprint)
  expect(wrongFile.problem).toContain(`${masterKey} is not the master key of this portal`)
  writeFileSync(masterKey, 'a key')
  expect((await findMasterKey(settings())).problem).toContain(`${masterKey} does not hold a key`)
})

it('names a missing key, without which a check says nothing', async () => {
  const { settings, masterKey, fingerprint } = await newPortal()
  rmSync(masterKey)
  const found = await findMasterKey(settings())
  expect(found).toMatchObject({ fingerprint, key: undefined })
  expect(() => requireKeyOf(found)).toThrow(
    `There is no master key at ${masterKey}, nor is MASTER_KEY set: docs/backup.md says where it is kept. Without it nothing shows`,
  )
})

it('knows backups by the key on this machine while the event store is down', async () => {
  const { settings, fingerprint } = await newPortal()
  const found = await findMasterKey(settings({ EVENT_STORE_URL: 'esdb://127.0.0.1:2?tls=false' }))
  expect(found).toMatchObject({ fingerprint, key: expect.any(Buffer), problem: undefined })
  expect(found.notCompared).toMatch(/^The event store at esdb:\/\/127\.0\.0\.1:2\S* cannot be used: /)
})
