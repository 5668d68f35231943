/** @module-tag verify */
import type { RecordedEvent } from '@portal/platform/event-store/port'
import { serversUnderTest } from '@portal/platform/testing/event-store/servers'
import { makeBackup } from '@portal/platform/backup/make-backup'
import { openBackup } from '@portal/platform/backup/open-backup'
import type { Config } from '@portal/platform/settings/config'
import { openBackupSource } from '@portal/platform/backup/open-backup-source'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { completeProjections } from '../backup/served-projections.ts'
import { moveLog } from '../move-log/move-log.ts'
import { openServingReadModels } from '../settings/serving-read-models.ts'
import { restoreBackup } from './restore-backup.ts'
import {
  configOf,
  eventsOf,
  neverAborted,
  newUsedFolder,
  type UsedFolder,
} from '@portal/ops/testing/restore/used-folder'

const ownParts = ({ id, stream, revision, type, data }: RecordedEvent) => ({ id, stream, revision, type, data })

const backUp = async (config: Config, folder: string) => {
  const source = await openBackupSource(config.eventStoreUrl, 'unused')
  const readModels = await openServingReadModels(config)
  const served = await completeProjections(readModels)
  const made = await makeBackup({ source, folder, served, now: new Date(), signal: neverAborted })
  await readModels.close()
  await source.close()
  const backup = await openBackup(made.path)
  if (!backup.ok) throw new Error(backup.message)
  return backup
}

describe.each(serversUnderTest)('a backup of EventStoreDB, %s', { timeout: 180_000 }, (_name, startServer) => {
  let used: UsedFolder
  beforeEach(async () => {
    used = await newUsedFolder()
  }, 120_000)
  afterEach(() => used.remove())
  const start = async () => {
    const { url, stop } = await startServer()
    onTestFinished(stop)
    return url
  }

  test('RS-1 RS-3 can be restored into a file and into another EventStoreDB, with the same events in the same order', async () => {
    const moved = configOf(used.config.dataDir, await start())
    await moveLog({ config: used.config, to: moved.eventStoreUrl, stamp: 'moved', signal: neverAborted })
    const before = (await eventsOf(moved.eventStoreUrl)).map(ownParts)
    const backup = await backUp(moved, `${used.folder}/other-backups`)
    expect(backup.manifest.readModels.length).toBeGreaterThan(5)
    const toFile = configOf(await used.newTarget())
    const toServer = configOf(await used.newTarget(), await start())
    for (const config of [toFile, toServer]) {
      const restored = await restoreBackup({ config, backup, force: false, stamp: 'restored', signal: neverAborted })
      expect(restored).toMatchObject({ events: before.length, erased: 0, expired: 0 })
      const after = (await eventsOf(config.eventStoreUrl)).map(ownParts)
      expect(after.slice(0, before.length)).toEqual(before)
      expect(after.slice(before.length).map(({ type }) => type)).toEqual(['BackupRestored'])
    }
  })

  test('RS-8 reports a read model that differs from its log before anything is copied', async () => {
    const moved = configOf(used.config.dataDir, await start())
    await moveLog({ config: used.config, to: moved.eventStoreUrl, stamp: 'moved', signal: neverAborted })
    const backup = await backUp(moved, `${used.folder}/other-backups`)
    const [first, ...others] = backup.manifest.readModels
    if (first === undefined) throw new Error('There are no digests')
    const partitions = Object.fromEntries(
      Object.entries(first.partitions).map(([partition, digest]) => [partition, { ...digest, checksum: 'other' }]),
    )
    const manifest = { ...backup.manifest, readModels: [{ ...first, partitions }, ...others] }
    const config = configOf(await used.newTarget())
    const options = { config, backup: { ...backup, manifest }, stamp: 'restored', signal: neverAborted }
    await expect(restoreBackup({ ...options, force: false })).rejects.toThrow(
      /^The read models differ from those of the backup \([^\n]+\)\. To accept this: FORCE=1$/,
    )
    await expect(eventsOf(config.eventStoreUrl)).rejects.toThrow(/There is no event store at/)
    expect(await restoreBackup({ ...options, force: true })).toMatchObject({ erased: 0 })
  })
})
