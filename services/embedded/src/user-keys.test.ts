import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { loadConfig } from '@portal/platform/settings/config'
import { dataFiles } from '@portal/platform/files/data-folder'
import { createLogger } from '@portal/platform/observability/logger'
import { startErrorText } from '@portal/platform/runtime/start-error'
import { systemClockAndIds as clockAndIds } from '@portal/platform/decider/clock-and-ids'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { projections, publishers } from './build-services.ts'
import { fillDataFolder } from './fill/fill-data-folder.ts'
import { openPorts } from './open-ports.ts'

const logger = createLogger({ level: 'silent' })
const open = () => openPorts({ config, publishers, projections, clockAndIds, logger })
let folder: string
let config: ReturnType<typeof loadConfig>

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'portal-keys-'))
  config = loadConfig({ NODE_ENV: 'test', DATA_DIR: folder })
  await fillDataFolder(config, { learners: 1, password: 'Learners-2026', withSample: false }, logger)
})
afterEach(() => rmSync(folder, { recursive: true }))

it('opens a folder that has its keys', async () => {
  const ports = await open()
  expect(await ports.eventStore.end()).not.toBe('start')
  for (const { stop } of ports.closing) await stop()
})

it('refuses in one line a folder that lost its user keys, and makes no new ones', async () => {
  const { userKeys, masterKey } = dataFiles(folder)
  for (const lost of [userKeys, `${userKeys}-wal`, `${userKeys}-shm`, masterKey]) rmSync(lost, { force: true })
  const failure = await open().catch((error: unknown) => error)
  expect(startErrorText(failure, 3000)).toMatch(/^.*user-keys\.db is missing, but the event store has users.*$/)
  expect([existsSync(userKeys), existsSync(masterKey)]).toEqual([false, false])
})

it('has no byte of an erased key in any file of the folder, while the portal runs and after it', async () => {
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
  for (const { stop } of ports.closing) await stop()
  expect(holding()).toEqual([])
})
