import { join } from 'node:path'
import { openErasureLog } from '@portal/platform/personal-data/erasure-log'
import { userIdSchema } from '@portal/contracts/shared/ids'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { restoreBackup } from './restore-backup.ts'
import {
  configOf,
  eventsOf,
  neverAborted,
  newUsedFolder,
  type UsedFolder,
} from '@portal/ops/testing/restore/used-folder'

let used: UsedFolder
beforeEach(async () => {
  used = await newUsedFolder()
}, 60_000)
afterEach(() => used.remove())

test('RS-6 erasures recorded in another folder are applied once: recorded, with the address released', async () => {
  const registered = (await eventsOf(used.config.eventStoreUrl)).filter(({ type }) => type === 'UserRegistered')
  const userId = userIdSchema.parse(registered.at(-1)?.stream.slice('user-'.length))
  const backup = await used.backUp()
  const erasuresFile = join(used.folder, 'erasures.jsonl')
  openErasureLog(erasuresFile).record(userId, new Date())
  openErasureLog(erasuresFile).record('01980000-0000-7000-8000-00000000000b', new Date())
  const config = configOf(await used.newTarget())
  const options = { config, backup, erasuresFiles: [erasuresFile], force: false, signal: neverAborted }
  const interrupted = restoreBackup({
    ...options,
    stamp: 'first',
    reached: (step) => {
      if (step === 'erased') throw new Error('interrupted')
    },
  })
  await expect(interrupted).rejects.toThrow('interrupted')
  await restoreBackup({ ...options, stamp: 'second' })
  const after = await eventsOf(config.eventStoreUrl)
  expect(after.filter(({ type }) => type === 'UserErased')).toMatchObject([{ data: { userId } }])
  expect(after.filter(({ type }) => type === 'EmailReleased')).toMatchObject([{ data: { userId } }])
})
