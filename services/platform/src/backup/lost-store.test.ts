import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type SampleBackup, sampleBackup } from '@portal/platform/testing/backup/sample-backup'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { deriveKeys } from '../personal-data/master-key.ts'
import { loadConfig } from '../settings/config.ts'
import { openSqliteReadModel } from '../read-model/sqlite.ts'
import { saveCheck, saveLastBackup } from './last-backup.ts'
import { lostStoreIn, requireStoreOfBackups } from './lost-store.ts'

let dataDir: string
let backup: SampleBackup
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'lost-store-'))
  backup = await sampleBackup(1)
})
afterEach(async () => {
  rmSync(dataDir, { recursive: true })
  await backup.remove()
})

const configWith = (settings: Record<string, string> = {}) =>
  loadConfig({ DATA_DIR: dataDir, BACKUP_DIR: backup.folder, ...settings })

it('names a missing event store of which there are backups, the newest one, and what to do', async () => {
  const line =
    `There is no event store at ${dataDir}/events.db, but BACKUP_DIR has backups of one (newest: ${backup.file}). ` +
    `Mount its disk again, or run make restore FROM=${backup.file}. For a new portal, set BACKUP_DIR to an empty folder`
  expect(await lostStoreIn(configWith())).toBe(line)
  await expect(requireStoreOfBackups(configWith())).rejects.toMatchObject({ message: line, isUserFacing: true })
})

it('lets a portal start that has its event store, no backups, or an event store elsewhere', async () => {
  const allowed = [
    configWith({ BACKUP_DIR: dataDir }),
    configWith({ BACKUP_DIR: join(dataDir, 'missing') }),
    configWith({ BACKUP_DIR: join(backup.file, 'not-a-folder') }),
    configWith({ EVENT_STORE_URL: 'esdb://localhost' }),
  ]
  expect(await Promise.all(allowed.map(lostStoreIn))).toEqual(allowed.map(() => undefined))
  writeFileSync(join(dataDir, 'events.db'), '')
  await expect(requireStoreOfBackups(configWith())).resolves.toBeUndefined()
})

it('names the newest backup that is not known to be damaged', async () => {
  const newer = join(backup.folder, 'portal-20261123t000000.backup')
  writeFileSync(newer, '')
  expect(await lostStoreIn(configWith())).toContain(`make restore FROM=${backup.file}.`)
  copyFileSync(backup.file, newer)
  expect(await lostStoreIn(configWith())).toContain(`make restore FROM=${newer}.`)
  const control = openSqliteReadModel({ path: join(dataDir, 'read-models'), namespace: 'control' })
  const { madeAt } = backup.manifest
  await saveLastBackup(control, { madeAt, file: basename(newer), events: 1 }, Date.parse(madeAt))
  await saveCheck(control, { file: basename(newer), madeAt, check: { at: madeAt, isGood: false } })
  await control.close()
  expect(await lostStoreIn(configWith())).toContain(`make restore FROM=${backup.file}.`)
  writeFileSync(backup.file, '')
  expect(await lostStoreIn(configWith())).toContain(`make restore FROM=${newer}.`)
})

it('counts only the backups of this portal if its master key is set', async () => {
  const key = randomBytes(32)
  const config = configWith({ MASTER_KEY: key.toString('hex') })
  expect(await lostStoreIn(config)).toBeUndefined()
  await backup.write({ masterKey: deriveKeys(key).fingerprint })
  expect(await lostStoreIn(config)).toContain(backup.file)
})
