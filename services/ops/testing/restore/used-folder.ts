import { mkdtempSync, rmSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seedDataFolder } from '@portal/standalone/seed-data-folder'
import { openBackup, type OpenedBackup } from '@portal/platform/backup/open-backup'
import { makeBackup } from '@portal/platform/backup/make-backup'
import { readLogToEnd } from '@portal/platform/event-store/read-log-to-end'
import type { RecordedEvent } from '@portal/platform/event-store/port'
import { type Config, loadConfig } from '@portal/platform/settings/config'
import { createLogger } from '@portal/platform/observability/logger'
import { dataFiles } from '@portal/platform/files/data-folder'
import { openEventLog } from '@portal/platform/adapters/open-adapters'
import { openBackupSource } from '@portal/platform/backup/open-backup-source'
import { replay } from '@portal/platform/generations/replay'
import { completeProjections } from '../../src/backup/served-projections.ts'
import { openReplayPorts } from '../../src/replay/open-replay-ports.ts'
import { projections } from '../../src/settings/consumers.ts'
import { openServingReadModels } from '../../src/settings/serving-read-models.ts'

export const neverAborted = new AbortController().signal

export const configOf = (dataDir: string, eventStoreUrl?: string): Config =>
  loadConfig({ NODE_ENV: 'test', DATA_DIR: dataDir, ...(eventStoreUrl && { EVENT_STORE_URL: eventStoreUrl }) })

export const eventsOf = async (url: string): Promise<readonly RecordedEvent[]> => {
  const log = await openEventLog(url)
  try {
    const events: RecordedEvent[] = []
    for await (const event of readLogToEnd(log)) events.push(event)
    return events
  } finally {
    await log.close()
  }
}

/** Waits for all projections, because seeding stops before the slower ones have caught up. */
const bringUpToDate = async (config: Config): Promise<void> => {
  const ports = await openReplayPorts(config)
  try {
    await replay({ ...ports, projections, stamp: 'filled', force: false, signal: neverAborted })
  } finally {
    await ports.close()
  }
}

/** A stopped portal with data of every kind, whose read models are up to date. */
export const newUsedFolder = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'used-'))
  const dataDir = join(folder, 'data')
  const config = loadConfig({ NODE_ENV: 'test', DATA_DIR: dataDir, ADMIN_PASSWORD: 'Steward-2026' })
  const request = { learners: 5, password: 'Learners-2026', withSample: true }
  await seedDataFolder(config, request, createLogger({ level: 'silent' }))
  await bringUpToDate(config)
  let others = 0
  return {
    folder,
    config,
    /** A new folder with only the master key, as an operator would prepare it. */
    newTarget: async (): Promise<string> => {
      const target = mkdtempSync(join(folder, `target-${++others}-`))
      await copyFile(dataFiles(dataDir).masterKey, dataFiles(target).masterKey)
      return target
    },
    backUp: async (): Promise<OpenedBackup> => {
      const source = await openBackupSource(config.eventStoreUrl, dataFiles(dataDir).userKeys)
      const readModels = await openServingReadModels(config)
      const { path } = await makeBackup({
        source,
        folder: join(folder, 'backups'),
        served: await completeProjections(readModels),
        now: new Date(),
        signal: neverAborted,
      })
      await readModels.close()
      await source.close()
      const backup = await openBackup(path)
      if (!backup.ok) throw new Error(backup.message)
      return backup
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
export type UsedFolder = Awaited<ReturnType<typeof newUsedFolder>>
