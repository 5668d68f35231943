import { expect, it } from 'vitest'
import { findingsOfBackups } from './backups.ts'

const dayMs = 86_400_000
const backup = (ageMs: number, isInFolder = true) => ({
  file: 'portal-20261122t190838.backup',
  madeAt: '2026-11-22T19:08:38.000Z',
  ageMs,
  isInFolder,
})
const results = (status: Parameters<typeof findingsOfBackups>[0], isProduction = true) =>
  findingsOfBackups(status, isProduction).map(({ result }) => result)

it('accepts a recent backup and warns of an old or missing one', () => {
  const status = { folder: '/backups', failedCheck: undefined, damaged: undefined, files: 1, foreign: 0 }
  expect(results({ ...status, lastGood: backup(dayMs) })).toEqual(['ok'])
  expect(results({ ...status, lastGood: backup(3 * dayMs) })).toEqual(['warn'])
  expect(results({ ...status, lastGood: undefined })).toEqual(['warn'])
  expect(results({ ...status, lastGood: undefined }, false)).toEqual(['info'])
})

it('fails if the newest backup failed its check, even with older backups', () => {
  const status = {
    folder: '/backups',
    lastGood: backup(dayMs),
    failedCheck: 'portal-20261123t190838.backup',
    damaged: undefined,
    files: 2,
    foreign: 0,
  }
  expect(findingsOfBackups(status, true)).toMatchObject([
    {
      result: 'fail',
      says: 'portal-20261123t190838.backup failed its check, and none has passed since',
      todo: expect.any(String),
    },
    { result: 'ok' },
  ])
})

it('fails if a backup is damaged', () => {
  const damaged = 'portal-20261123t190838.backup'
  const status = { folder: '/backups', lastGood: backup(dayMs), failedCheck: undefined, damaged, files: 2, foreign: 0 }
  expect(findingsOfBackups(status, true)).toMatchObject([
    { result: 'fail', says: `/backups/${damaged} is empty or damaged`, todo: 'run make backup' },
    { result: 'ok' },
  ])
})

it('warns of a backup from the future, but not of clocks that differ by seconds', () => {
  const status = { folder: '/backups', failedCheck: undefined, damaged: undefined, files: 1, foreign: 0 }
  expect(findingsOfBackups({ ...status, lastGood: backup(-dayMs) }, true)).toMatchObject([
    { result: 'warn', says: expect.stringMatching(/^the last good one is from the future by 24\.0 h: portal-/) },
  ])
  expect(findingsOfBackups({ ...status, lastGood: backup(-5_000) }, true)).toMatchObject([
    { result: 'ok', says: expect.stringMatching(/^the last good one is 0 ms old: portal-/) },
  ])
})

it('[O16] names the folder it looked in', () => {
  const status = { folder: '/backups', failedCheck: undefined, damaged: undefined, files: 0, foreign: 0 }
  const said = (lastGood: Parameters<typeof findingsOfBackups>[0]['lastGood']) =>
    findingsOfBackups({ ...status, lastGood }, true).map(({ says }) => says)
  expect(said(undefined)).toEqual(['there is no good backup in /backups'])
  expect(said(backup(dayMs, false))).toEqual([expect.stringMatching(/backup, which is not in \/backups$/)])
})

it('names the backups of other portals in the folder', () => {
  const status = { folder: '/backups', lastGood: backup(dayMs), failedCheck: undefined, damaged: undefined, files: 1 }
  const said = (foreign: number) => findingsOfBackups({ ...status, foreign }, true).slice(1)
  expect(said(0)).toEqual([])
  expect(said(1)).toMatchObject([
    { result: 'info', says: '/backups also has 1 backup of other portals, which make backup does not remove' },
  ])
  expect(said(2)).toMatchObject([{ says: expect.stringMatching(/ has 2 backups of other portals/) }])
})
