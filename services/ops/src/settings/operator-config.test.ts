import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteEventStore } from '@portal/platform/event-store/sqlite'
import { loadConfig } from '@portal/platform/settings/config'
import { recordFolderEngines } from '@portal/platform/runtime/run-folder'
import { startedAt } from '../dev-engines/processes.ts'
import { writeAddresses } from '../dev-engines/addresses.ts'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { chooseConfig, portalLine } from './operator-config.ts'

let root: string
let environment: Record<string, string>
const shared = {
  EVENT_STORE_URL: 'esdb://user:secret@127.0.0.1:1?tls=false',
  BUS_URL: 'kafka://127.0.0.1:2',
  READ_MODEL_URL: 'redis://127.0.0.1:3',
}

/** Registers this process as the running engines. */
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'operator-'))
  const folder = join(root, 'engines')
  const up = (url: string) => ({ name: 'It', url, pid: process.pid, startedAt: startedAt(process.pid) })
  await writeAddresses(folder, {
    eventStore: up('esdb://127.0.0.1:11'),
    bus: up('kafka://127.0.0.1:12'),
    readModel: up('redis://127.0.0.1:13'),
  })
  environment = { ENGINES_DIR: folder, DATA_DIR: join(root, 'data') }
})
afterEach(() => rmSync(root, { recursive: true }))

const storeOf = async (settings: Readonly<Record<string, string>>) => (await chooseConfig(settings)).eventStoreUrl
const makeStore = () => openSqliteEventStore({ path: join(root, 'data', 'events.db') })

it('chooses the portal of DATA_DIR, even if engines are running', async () => {
  expect(await storeOf(environment)).toBe(`sqlite:${join(root, 'data', 'events.db')}`)
  await makeStore().close()
  expect(await storeOf(environment)).toBe(`sqlite:${join(root, 'data', 'events.db')}`)
})

it('chooses the last engines of the folder, unless a standalone portal uses it', async () => {
  recordFolderEngines(join(root, 'data'), shared)
  expect(await storeOf(environment)).toBe(shared.EVENT_STORE_URL)
  const store = makeStore()
  expect(await storeOf(environment)).toBe(`sqlite:${join(root, 'data', 'events.db')}`)
  await store.close()
  expect(await storeOf(environment)).toBe(shared.EVENT_STORE_URL)
  recordFolderEngines(join(root, 'data'), undefined)
  expect(await storeOf(environment)).toBe(`sqlite:${join(root, 'data', 'events.db')}`)
})

it('chooses the addresses that are set', async () => {
  recordFolderEngines(join(root, 'data'), shared)
  expect(await storeOf({ ...environment, EVENT_STORE_URL: 'esdb://127.0.0.1:7' })).toBe('esdb://127.0.0.1:7')
})

it('prints the portal in one line without passwords', () => {
  expect(portalLine(loadConfig({ DATA_DIR: '/srv/portal' }))).toBe('Portal: one process, in /srv/portal')
  expect(portalLine(loadConfig({ DATA_DIR: '/srv/portal', ...shared }))).toBe(
    'Portal: esdb://127.0.0.1:1, kafka://127.0.0.1:2, redis://127.0.0.1:3; its data folder is /srv/portal',
  )
})
