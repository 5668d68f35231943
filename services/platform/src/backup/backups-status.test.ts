import { copyFile, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openSqliteReadModel } from '../read-model/sqlite.ts'
import type { ReadModel } from '../read-model/port.ts'
import { createMetrics } from '../observability/metrics/metrics.ts'
import { hasBackup } from './backup-folder.ts'
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
const status = async (folder = sample.folder, fingerprint?: string) =>
  backupsStatus(folder, { recorded: await loadLastBackup(control), fingerprint, nowMs })
const save = (made: Parameters<typeof saveLastBackup>[1]) => saveLastBackup(control, made, nowMs)
const checked = (name: string, isGood: boolean) =>
  saveCheck(control, {
    file: name,
    madeAt: name === file ? madeAt : later.madeAt,
    check: { at: later.madeAt, isGood },
  })

it('finds the newest backup of the folder', async () => {
  expect(await status()).toEqual({
    folder: sample.folder,
    lastGood: { file, madeAt, ageMs: 2 * hourMs, isInFolder: true },
    failedCheck: undefined,
    damaged: undefined,
    files: 1,
    foreign: 0,
  })
})

it('has a negative age for a backup from the future', async () => {
  const before = nowMs - 26 * hourMs
  const found = await backupsStatus(sample.folder, { recorded: undefined, fingerprint: undefined, nowMs: before })
  expect(found.lastGood?.ageMs).toBe(-24 * hourMs)
})

it('[O16] finds none in an empty folder, which it names', async () => {
  expect(await status('/nowhere')).toEqual({
    folder: '/nowhere',
    lastGood: undefined,
    failedCheck: undefined,
    damaged: undefined,
    files: 0,
    foreign: 0,
  })
})

it('includes a backup of another machine, and says that it is not in the folder', async () => {
  await save(later)
  for (const folder of ['/nowhere', sample.folder])
    expect((await status(folder)).lastGood).toMatchObject({ file: later.file, isInFolder: false })
})

it("[C3] only counts another portal's backups", async () => {
  expect(await status(sample.folder, sample.manifest.masterKey)).toMatchObject({
    files: 1,
    foreign: 0,
    lastGood: { file },
  })
  expect(await status(sample.folder, 'another')).toMatchObject({
    files: 0,
    foreign: 1,
    lastGood: undefined,
  })
})

it('has a backup of a folder, also a damaged one, but none of another portal', async () => {
  const has = (name: string, fingerprint?: string) => hasBackup(sample.folder, name, fingerprint)
  expect(await has(file)).toBe(true)
  expect(await has(file, sample.manifest.masterKey)).toBe(true)
  expect(await has(file, 'another')).toBe(false)
  expect(await has(later.file)).toBe(false)
  expect(await has('sources')).toBe(false)
  await truncate(sample.file, 0)
  expect(await has(file, 'another')).toBe(true)
})

it('[O6] is not good again through a backup that nobody has checked', async () => {
  await save({ madeAt, file, events: 3 })
  await checked(file, true)
  await save(later)
  expect(await status()).toMatchObject({ lastGood: { file: later.file }, failedCheck: undefined })
  await checked(later.file, false)
  expect(await status()).toMatchObject({ lastGood: { file }, failedCheck: later.file })
  const newest = { madeAt: '2026-11-22T21:00:00.000Z', file: 'portal-20261122t210000.backup', events: 5 }
  await save(newest)
  expect(await status()).toMatchObject({ lastGood: { file }, failedCheck: later.file })
  await saveCheck(control, { file: newest.file, madeAt: newest.madeAt, check: { at: newest.madeAt, isGood: true } })
  expect(await status()).toMatchObject({ lastGood: { file: newest.file }, failedCheck: undefined })
})

it('is healthy again once an older backup passes a check, until another fails', async () => {
  await save({ madeAt, file, events: 3 })
  await checked(file, true)
  await save(later)
  await checked(later.file, false)
  expect(await status()).toMatchObject({ failedCheck: later.file })
  await checked(file, true)
  expect(await status()).toMatchObject({ lastGood: { file }, failedCheck: undefined })
  // Nobody knows yet whether newer ones are good.
  await save({
    madeAt: '2026-11-22T21:00:00.000Z',
    file: 'portal-20261122t210000.backup',
    events: 5,
  })
  expect(await status()).toMatchObject({ lastGood: { file }, failedCheck: undefined })
  await checked(later.file, false)
  expect(await status()).toMatchObject({ lastGood: { file }, failedCheck: later.file })
})

it('does not count a truncated backup, and names it until a check has found it', async () => {
  const empty = { lastGood: undefined, damaged: file }
  await save({ madeAt, file, events: 3 })
  expect(await status()).toMatchObject({ lastGood: { file }, damaged: undefined })
  for (const bytes of [sample.bytes - 1, 2_000, 0]) {
    await truncate(sample.file, bytes)
    expect(await status()).toMatchObject(empty)
  }
  // Its portal is unknown.
  expect(await status(sample.folder, 'another')).toMatchObject(empty)
  await saveCheck(control, { file, madeAt: undefined, check: { at: later.madeAt, isGood: false } })
  expect(await status()).toMatchObject({ lastGood: undefined, damaged: undefined, failedCheck: file })
})

it('names no damaged backup that is older than a whole one', async () => {
  await truncate(sample.file, 0)
  await copyFile(sample.file, join(sample.folder, 'portal-20261121t000000.backup'))
  await sample.write()
  expect(await status()).toMatchObject({ lastGood: { file }, damaged: undefined })
})

it('reads the record of a failed check that an older release made', async () => {
  await save(later)
  const recorded = await loadLastBackup(control)
  if (recorded === undefined) throw new Error('nothing is recorded')
  const older = { ...recorded, check: { at: later.madeAt, isGood: false } }
  expect(await backupsStatus('/nowhere', { recorded: older, fingerprint: undefined, nowMs })).toMatchObject({
    lastGood: undefined,
    failedCheck: later.file,
  })
})

it('keeps the record of the newest backup after older backups', async () => {
  await save(later)
  await save({ madeAt, file, events: 3 })
  expect(await loadLastBackup(control)).toEqual(later)
})

it('replaces the record of a backup from the future, whose results of checks end with it', async () => {
  const future = { madeAt: '2027-11-22T00:00:00.000Z', file: 'portal-20271122t000000.backup', events: 4 }
  const check = { at: future.madeAt, isGood: true }
  await save(future)
  await saveCheck(control, { file: future.file, madeAt: future.madeAt, check })
  await save({ madeAt, file, events: 3 })
  expect(await status('/nowhere')).toMatchObject({ lastGood: { file }, failedCheck: undefined })
  await checked(file, false)
  expect(await status('/nowhere')).toMatchObject({ lastGood: undefined, failedCheck: file })

  await save(future)
  await saveCheck(control, { ...future, check: { ...check, isGood: false } })
  await save(later)
  await checked(later.file, true)
  expect(await status('/nowhere')).toMatchObject({ lastGood: { file: later.file }, failedCheck: undefined })
})

it('is exported as a metric, 0 without a good backup', async () => {
  const metrics = createMetrics()
  watchLastBackup(metrics, control)
  const shown = async () =>
    /^portal_last_good_backup_timestamp_seconds (\S+)$/m.exec((await metrics.scrape()).text)?.[1]
  expect(await shown()).toBe('0')
  await save(later)
  expect(Number(await shown())).toBe(Date.parse(later.madeAt) / 1_000)
  await checked(later.file, false)
  expect(await shown()).toBe('0')
  await checked(file, true)
  expect(Number(await shown())).toBe(Date.parse(madeAt) / 1_000)
  await checked(later.file, true)
  expect(Number(await shown())).toBe(Date.parse(later.madeAt) / 1_000)
})
