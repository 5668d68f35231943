import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { changeGenerations, loadGenerations } from '@portal/platform/generations/generations'
import { loadConfig } from '@portal/platform/settings/config'
import { openReadModel } from '@portal/platform/adapters/open-adapters'
import { expect, it, onTestFinished } from 'vitest'
import { openServingReadModels } from './serving-read-models.ts'

it('opens the generation of this version, and creates none if it was not built', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'serving-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const config = loadConfig({ DATA_DIR: dataDir })
  for (const namespace of ['inbox-main', 'inbox.v3-built'])
    await (await openReadModel(config.readModelUrl, namespace)).close()
  const control = await openReadModel(config.readModelUrl, 'control')
  const serving = { 'inbox.v3': { generation: 'inbox.v3-built' } }
  await changeGenerations(control, await loadGenerations(control), { serving })
  await control.close()

  const readModels = await openServingReadModels(config)
  const generationOf = async (version: number) => (await readModels.of({ name: 'inbox', version }))?.generation
  expect([await generationOf(1), await generationOf(2), await generationOf(3)]).toEqual([
    'inbox-main',
    undefined,
    'inbox.v3-built',
  ])
  await readModels.close()
  expect(existsSync(join(dataDir, 'read-models', 'inbox.v2-main.db'))).toBe(false)
})
