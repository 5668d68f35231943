import { expect, it } from 'vitest'
import { findingsOfBackups } from './backups.ts'

const dayMs = 86_400_000
const backup = (ageMs: number) => ({ file: 'portal-20261122t190838.backup', madeAt: '2026-11-22T19:08:38.000Z', ageMs })
const results = (status: Parameters<typeof findingsOfBackups>[0], isProduction = true) =>
  findingsOfBackups(status, isProduction).map(({ result }) => result)

it('accepts a recent backup and warns of an old or missing one', () => {
  const status = { failedCheck: undefined, files: 1 }
  expect(results({ ...status, lastGood: backup(dayMs) })).toEqual(['ok'])
  expect(results({ ...status, lastGood: backup(3 * dayMs) })).toEqual(['warn'])
  expect(results({ ...status, lastGood: undefined })).toEqual(['warn'])
  expect(results({ ...status, lastGood: undefined }, false)).toEqual(['info'])
})

it('fails if the newest backup failed its check, even with older backups', () => {
  const status = { lastGood: backup(dayMs), failedCheck: 'portal-20261123t190838.backup', files: 2 }
  expect(findingsOfBackups(status, true)).toMatchObject([
    { result: 'fail', says: 'portal-20261123t190838.backup failed its check', todo: expect.any(String) },
    { result: 'ok' },
  ])
})
