/** @module-tag verify */
import { existsSync } from 'node:fs'
import { createRelay } from '@portal/platform/bus/relay'
import { requireCompleteStore } from '@portal/platform/restore/open-marks'
import { UnfinishedStoreError } from '@portal/platform/restore/restore-mark'
import { openDataFolder } from '@portal/platform/files/data-folder'
import type { OpenedBackup } from '@portal/platform/backup/open-backup'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publishers } from '../replay/replayed-projections.ts'
import { restoreBackup, type RestoreStep } from './restore-backup.ts'
import { standaloneMain, killedRun, runProcess } from '@portal/ops/testing/restore/run-process'
import {
  configOf,
  eventsOf,
  neverAborted,
  newUsedFolder,
  type UsedFolder,
} from '@portal/ops/testing/restore/used-folder'

const steps: readonly RestoreStep[] = [
  'unpacked',
  'marked',
  'batch copied',
  'log copied',
  'keys copied',
  'copied',
  'erased',
  'rebuilt',
  'expired',
  'recorded',
]

describe('a killed restore', { timeout: 120_000 }, () => {
  let used: UsedFolder
  let backup: OpenedBackup
  let events: Awaited<ReturnType<typeof eventsOf>>
  beforeAll(async () => {
    used = await newUsedFolder()
    events = await eventsOf(used.config.eventStoreUrl)
    backup = await used.backUp()
  }, 120_000)
  afterAll(() => used?.remove())

  const { categories } = createRelay(publishers)
  /** What is published of the events of users. Operations, such as this restore, are only listed. */
  const published = (all: typeof events) =>
    all.filter(({ stream }) => {
      const [category = ''] = stream.split('-')
      return category !== 'operation' && categories.includes(category)
    })

  test('RS-4 killed at any step, no portal starts, and the same command completes it', async () => {
    const dataDir = await used.newTarget()
    const config = configOf(dataDir)
    const isRefused = () =>
      requireCompleteStore(config).then(
        () => false,
        (error: unknown) => error instanceof UnfinishedStoreError,
      )
    for (const step of steps) {
      const killed = await runProcess(killedRun, { DATA_DIR: dataDir, FROM: backup.path, STEP: step })
      // Before the store is marked, it has not been changed.
      expect([step, killed.signal, await isRefused()]).toEqual([step, 'SIGKILL', step !== 'unpacked'])
    }
    const restored = await restoreBackup({ config, backup, force: false, stamp: 'again', signal: neverAborted })
    expect(restored.events).toBe(events.length)
    expect(restored.readModels.flatMap(({ differences }) => differences)).toEqual([])
    await expect(requireCompleteStore(config)).resolves.toBeUndefined()
    const after = await eventsOf(config.eventStoreUrl)
    expect(after.slice(0, events.length)).toEqual(events)
    expect(published(after).slice(published(events).length)).toEqual([])
    expect(after.filter(({ type }) => type === 'BackupRestored')).toHaveLength(1)
    expect(existsSync(`${dataDir}/.restoring`)).toBe(false)
  })

  test('RS-4 prevents a portal from starting and rejects another backup', async () => {
    const dataDir = await used.newTarget()
    await runProcess(killedRun, { DATA_DIR: dataDir, FROM: backup.path, STEP: 'log copied' })
    const started = await runProcess(standaloneMain, { DATA_DIR: dataDir, PORT: '0' })
    expect(started).toMatchObject({ code: 1, signal: null })
    expect(started.output).toBe(
      `A restore into this event store was interrupted. Run it again: make restore FROM=${backup.path}\n`,
    )
    const other = { ...backup, manifest: { ...backup.manifest, madeAt: '2020-01-01T00:00:00.000Z' } }
    const options = { config: configOf(dataDir), force: false, stamp: 'again', signal: neverAborted }
    await expect(restoreBackup({ ...options, backup: other })).rejects.toThrow(UnfinishedStoreError)
    openDataFolder(dataDir).release()
    expect((await restoreBackup({ ...options, backup })).events).toBe(events.length)
  })
})
