import { afterEach, beforeEach, expect, it } from 'vitest'
import { openSqliteReadModel } from '../read-model/sqlite.ts'
import type { ReadModel } from '../read-model/port.ts'
import { createMetrics } from '../observability/metrics/metrics.ts'
import { backupsStatus } from './backups-status.ts'
import { loadLastBackup, saveCheck, saveLastBackup, watchLastBackup } from './last-backup.ts'
import { sampleBackup, type SampleBackup } from '@portal/platform/testing/backup/sample-backup'

let control: ReadModel
let sample: SampleBackup
beforeEach(async () => {
  control = openSqliteReadModel({ path: ':memory:', namespace: 'control' })
  sample = await sampleBackup(3)
})
afterEach(async () => {
  await control.close()
  await sample.remove()
})

const file = 'portal-20261122t190838.backup'
const madeAt = '2026-11-22T19:08:38.000Z'
const later = { madeAt: '2026-11-22T20:00:00.000Z', file: 'portal-20261122t200000.backup', events: 4 }
const nowMs = Date.parse('2026-11-22T21:08:38Z')
const hourMs = 3_600_000
const status = async (folder = sample.folder) => backupsStatus(folder, await loadLastBackup(control), nowMs)
const failed = { at: later.madeAt, isGood: false }

it('finds the newest backup of the folder', async () => {
  expect(await status()).toEqual({ lastGood: { file, madeAt, ageMs: 2 * hourMs }, failedCheck: undefined, files: 1 })
})

it('finds none in an empty folder', async () => {
  expect(await status('/nowhere')).toEqual({ lastGood: undefined, failedCheck: undefined, files: 0 })
})

it('includes a backup of another machine', async () => {
  await saveLastBackup(control, later)
  expect((await status('/nowhere')).lastGood).toMatchObject({ file: later.file })
  expect((await status()).lastGood).toMatchObject({ file: later.file })
})

it('falls back to the previous backup if the newest fails its check', async () => {
  await saveLastBackup(control, later)
  await saveCheck(control, later.file, failed)
  expect(await status()).toMatchObject({ lastGood: { file }, failedCheck: later.file })
})

it('keeps the record of the newest backup after later checks and older backups', async () => {
  await saveLastBackup(control, later)
  await saveCheck(control, file, failed)
  await saveLastBackup(control, { madeAt, file, events: 3 })
  expect(await loadLastBackup(control)).toEqual(later)
})

it('is exported as a metric, 0 without a good backup', async () => {
  const metrics = createMetrics()
  watchLastBackup(metrics, control)
  const shown = async () =>
    /^portal_last_good_backup_timestamp_seconds (\S+)$/m.exec((await metrics.scrape()).text)?.[1]
  expect(await shown()).toBe('0')
  await saveLastBackup(control, later)
  expect(Number(await shown())).toBe(Date.parse(later.madeAt) / 1_000)
  await saveCheck(control, later.file, failed)
  expect(await shown()).toBe('0')
})
