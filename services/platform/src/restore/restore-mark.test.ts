import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openMarks, requireCompleteStore } from './open-marks.ts'
import { type RestoreMark, UnfinishedStoreError } from './restore-mark.ts'

const mark: RestoreMark = {
  command: 'restore',
  id: '01980000-0000-7000-8000-000000000001',
  source: 'a'.repeat(64),
  runAgain: 'make restore FROM=backups/portal-20261122t190838.backup',
  step: 'copying',
}

const newStore = () => {
  const folder = mkdtempSync(join(tmpdir(), 'marks-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const dataDir = join(folder, 'data')
  return { dataDir, eventStoreUrl: `sqlite:${dataDir}/events.db` }
}

test('RS-4 a store is marked until the restore ends, and the error names the command to run again', async () => {
  const store = newStore()
  await expect(requireCompleteStore(store)).resolves.toBeUndefined()
  expect(existsSync(store.dataDir)).toBe(false)
  const marks = await openMarks(store)
  await marks.write(mark)
  expect(await marks.read()).toEqual(mark)
  await expect(requireCompleteStore(store)).rejects.toThrow(UnfinishedStoreError)
  await expect(requireCompleteStore(store)).rejects.toThrow(
    'A restore into this event store was interrupted. Run it again: make restore FROM=backups/portal-20261122t190838.backup',
  )
  await marks.write({ ...mark, step: 'copied', events: 7 })
  expect(await marks.read()).toEqual({ ...mark, step: 'copied', events: 7 })
  await marks.clear()
  expect(await marks.read()).toBeUndefined()
  await expect(requireCompleteStore(store)).resolves.toBeUndefined()
})
