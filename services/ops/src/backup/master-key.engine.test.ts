/** @module-tag verify */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startStandIn } from '@portal/engines/event-store/start'
import { openEventStoreDbVault } from '@portal/platform/personal-data/eventstoredb-vault'
import { loadConfig } from '@portal/platform/settings/config'
import { expect, it, onTestFinished } from 'vitest'
import { findMasterKey } from './master-key.ts'

it('compares with the key that wrapped the keys in EventStoreDB, and needs none on this machine', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'master-key-'))
  const standIn = await startStandIn()
  onTestFinished(async () => {
    await standIn.stop()
    rmSync(dataDir, { recursive: true })
  })
  const masterKey = randomBytes(32)
  await (await openEventStoreDbVault({ url: standIn.url, masterKey, masterKeyFile: join(dataDir, 'none') })).close()
  const find = (MASTER_KEY?: Buffer) =>
    findMasterKey(
      loadConfig({
        DATA_DIR: dataDir,
        EVENT_STORE_URL: standIn.url,
        ...(MASTER_KEY && { MASTER_KEY: MASTER_KEY.toString('hex') }),
      }),
    )
  const { fingerprint } = await find()
  expect(fingerprint).toMatch(/^[0-9a-f]{64}$/)
  expect(await find()).toMatchObject({ key: undefined, problem: undefined })
  expect(await find(masterKey)).toMatchObject({ fingerprint, problem: undefined })
  const wrong = await find(randomBytes(32))
  expect(wrong.fingerprint).toBe(fingerprint)
  expect(wrong.problem).toMatch(/^MASTER_KEY is not the master key of this portal/)
})
