import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { loadConfig } from '@portal/platform/settings/config'
import { dataFiles } from '@portal/platform/files/data-folder'
import { openAuthPorts } from '@portal/auth/service'
import { noObservability } from '@portal/platform/observability/observability'
import { openServicePorts } from '@portal/platform/runtime/open-ports'
import { createPortalProcess } from '@portal/platform/runtime/portal-process'
import { startOrStop } from '@portal/platform/testing/runtime/start-or-stop'
import { stopInOrder } from '@portal/platform/runtime/shutdown'
import { createLogger } from '@portal/platform/observability/logger'
import { startErrorText } from '@portal/platform/runtime/start-error'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { seedDataFolder } from './seed-data-folder.ts'
import { projections, publishers } from './services.ts'

const logger = createLogger({ level: 'silent' })
const open = async () => {
  const observability = noObservability()
  const process = createPortalProcess({ name: 'portal', topology: 'standalone', config, logger, observability })
  const openOwn = openAuthPorts
  const ports = await startOrStop(process, () => openServicePorts(process, { projections, publishers, openOwn }))
  return { ...ports, close: () => stopInOrder(process.stopSteps, 5_000, logger) }
}
let folder: string
let config: ReturnType<typeof loadConfig>

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'portal-keys-'))
  config = loadConfig({ NODE_ENV: 'test', DATA_DIR: folder })
  await seedDataFolder(config, { learners: 1, password: 'Learners-2026', withSample: false }, logger)
})
afterEach(() => rmSync(folder, { recursive: true }))

it('opens a folder with its keys', async () => {
  const ports = await open()
  expect(await ports.eventStore.end()).not.toBe('start')
  await ports.close()
})

it('rejects in one line a folder without its user keys, and creates no new ones', async () => {
  const { userKeys, masterKey } = dataFiles(folder)
  for (const lost of [userKeys, `${userKeys}-wal`, `${userKeys}-shm`, masterKey]) rmSync(lost, { force: true })
  const failure = await open().catch((error: unknown) => error)
  expect(startErrorText(failure, undefined)).toMatch(/^.*user-keys\.db is missing, but the event store has users.*$/)
  expect([existsSync(userKeys), existsSync(masterKey)]).toEqual([false, false])
})

it('leaves no byte of an erased key in any file of the folder, while the portal runs and afterwards', async () => {
  const ports = await open()
  const reader = new DatabaseSync(dataFiles(folder).userKeys, { readOnly: true })
  const row = reader.prepare('SELECT user_id, wrapped_key FROM user_keys').get()
  reader.close()
  const key = row?.['wrapped_key']
  if (!(key instanceof Uint8Array)) throw new Error('expected a wrapped key')
  const holding = () =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .filter((file) => readFileSync(file).includes(Buffer.from(key)))

  expect(holding()).not.toEqual([])
  expect(await ports.vault.erase(String(row?.['user_id']))).toBe('gone')
  expect(holding()).toEqual([])
  await ports.close()
  expect(holding()).toEqual([])
})
