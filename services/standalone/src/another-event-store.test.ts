import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openAuthPorts } from '@portal/auth/service'
import { openEventLog } from '@portal/platform/adapters/open-adapters'
import { dataFiles } from '@portal/platform/files/data-folder'
import { createLogger } from '@portal/platform/observability/logger'
import { noObservability } from '@portal/platform/observability/observability'
import { openServicePorts } from '@portal/platform/runtime/open-ports'
import { createPortalProcess } from '@portal/platform/runtime/portal-process'
import { stopInOrder } from '@portal/platform/runtime/shutdown'
import { startErrorText } from '@portal/platform/runtime/start-error'
import { loadConfig } from '@portal/platform/settings/config'
import { startOrStop } from '@portal/platform/testing/runtime/start-or-stop'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { seedDataFolder } from './seed-data-folder.ts'
import { projections, publishers } from './services.ts'

const logger = createLogger({ level: 'silent' })
const parent = mkdtempSync(join(tmpdir(), 'portal-log-'))
const folderOf = (name: string) => join(parent, name)
const configOf = (name: string) => loadConfig({ NODE_ENV: 'test', DATA_DIR: folderOf(name) })

const open = async (name: string) => {
  const config = configOf(name)
  const observability = noObservability()
  const process = createPortalProcess({ name: 'portal', topology: 'standalone', config, logger, observability })
  const openOwn = openAuthPorts
  const ports = await startOrStop(process, () => openServicePorts(process, { projections, publishers, openOwn }))
  return { ...ports, process, close: () => stopInOrder(process.stopSteps, 5_000, logger) }
}

/** Starts the portal of a folder, and stops it. Returns the line of a failed start. */
const start = async (name: string): Promise<string | undefined> => {
  try {
    await (await open(name)).close()
    return undefined
  } catch (error) {
    return startErrorText(error, undefined)
  }
}

/** The folder of the portal 'own', with the event store of another folder, or without one. */
const exchanged = (name: string, from: string | undefined): void => {
  onTestFinished(() => rmSync(folderOf(name), { recursive: true }))
  cpSync(folderOf('own'), folderOf(name), { recursive: true })
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${folderOf(name)}/events.db${suffix}`, { force: true })
  if (from !== undefined) cpSync(`${folderOf(from)}/events.db`, `${folderOf(name)}/events.db`)
}

beforeAll(async () => {
  for (const name of ['own', 'other']) {
    await seedDataFolder(configOf(name), { learners: 1, password: 'Learners-2026', withSample: true }, logger)
    expect(await start(name)).toBeUndefined()
  }
  return () => rmSync(parent, { recursive: true })
}, 60_000)

it('PJ-30 rejects an empty event store in one line, and writes nothing to it', async () => {
  exchanged('emptied', undefined)
  const line = /^The event store at .*events\.db is empty, but this portal has data\. Check the volume or mount.*$/
  expect(await start('emptied')).toMatch(line)
  expect(await start('emptied')).toMatch(line)
  const log = await openEventLog(`sqlite:${folderOf('emptied')}/events.db`)
  expect(await log.end()).toBe('start')
  await log.close()
})

it("PJ-30 rejects another portal's event store in one line, before its users' keys are missed", async () => {
  exchanged('swapped', 'other')
  expect(await start('swapped')).toMatch(/^The event store at .*events\.db is another portal's .*$/)
})

it('PJ-30 accepts its own event store after another one was rejected', async () => {
  exchanged('back', 'other')
  expect(await start('back')).toBeDefined()
  cpSync(`${folderOf('own')}/events.db`, `${folderOf('back')}/events.db`)
  expect(await start('back')).toBeUndefined()
})

it('PJ-30 accepts any event store without read models, and an empty folder', async () => {
  exchanged('anew', 'own')
  const { readModels, ledger } = { readModels: join(folderOf('anew'), 'read-models'), ...dataFiles(folderOf('anew')) }
  for (const folder of [readModels, ledger]) rmSync(folder, { recursive: true, force: true })
  expect(await start('anew')).toBeUndefined()
  onTestFinished(() => rmSync(folderOf('fresh'), { recursive: true }))
  expect(await start('fresh')).toBeUndefined()
})
