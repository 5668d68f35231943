import type { CheckedBackup } from '@portal/platform/backup/check-backup'
import type { Manifest } from '@portal/platform/backup/manifest'
import { loadConfig } from '@portal/platform/settings/config'
import { describe, expect, it } from 'vitest'
import { keepOf } from './backup-arguments.ts'
import { backupText, checkText, forgetText, size } from './present.ts'

const manifest: Manifest = {
  format: 1,
  madeAt: '2026-11-22T19:08:38.000Z',
  release: '0.1.0',
  store: 'sqlite',
  log: { events: 128_412, end: null },
  masterKey: 'fingerprint',
  people: { keys: 1_204, erased: 2 },
  parts: [],
  readModels: [],
}
const compared = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ projection: `p${n}`, partitions: 3, differences: [] }))
const checked = (changed: Partial<CheckedBackup> = {}): CheckedBackup => ({
  ok: true,
  manifest,
  readModels: compared(5),
  problems: [],
  erasedKeys: 0,
  isDecrypted: true,
  ...changed,
})

describe('the result of a check', () => {
  it('is one line if everything is equal', () => {
    expect(checkText(checked(), 14_000)).toBe('128,412 events, 5 read models, all equal, 14 s')
  })

  it('reports how many keys of erased users are left', () => {
    expect(checkText(checked({ erasedKeys: 2 }), 14_000)).toContain(
      'the keys of 2 erased people: run make backup-forget',
    )
  })

  it('says what was not checked without the master key', () => {
    expect(checkText(checked({ isDecrypted: false }), 14_000).split('\n')).toEqual([
      '128,412 events, 5 read models, all equal, 14 s',
      "Not checked, without the master key: whether it decrypts the users' keys.",
    ])
  })

  it('names differences and read models that were not compared', () => {
    const readModels = [...compared(1), { projection: 'later', partitions: undefined, differences: [] }]
    expect(
      checkText(checked({ readModels, problems: ['p0 differs: a (different contents)'] }), 14_000).split('\n'),
    ).toEqual([
      '128,412 events, 1 read model, 1 problem, 14 s',
      'p0 differs: a (different contents)',
      'Not compared, because this release has another version: later',
    ])
  })
})

describe('the result of a backup', () => {
  const made = { path: '/backups/portal-20261122t190838.backup', bytes: 12_345_678, manifest }
  const lines = (environment: Record<string, string>) =>
    backupText({ made, removed: [] }, loadConfig({ DATA_DIR: '/srv/none', ...environment })).split('\n')

  it('reports the content, and the location of the master key in the last line', () => {
    expect(lines({ MASTER_KEY: 'ab'.repeat(32) })).toEqual([
      'Backup: /backups/portal-20261122t190838.backup (11.8 MiB)',
      'It contains 128,412 events and the keys of 1,204 users.',
      'The master key is not in the backup. Keep a separate copy of the setting MASTER_KEY.',
    ])
    expect(lines({}).at(-1)).toContain('the setting MASTER_KEY of the portal')
  })

  it('names a wrong master key in the last line', () => {
    const problem = '/data/master.key is not the master key of this portal'
    const text = backupText({ made, removed: [] }, loadConfig({ DATA_DIR: '/srv/none' }), problem)
    expect(text.split('\n').at(-1)).toBe(`${problem}. The backup is complete, but without that key nobody can read it.`)
  })

  it('has sizes in units', () => {
    expect([0, 1_023, 1_024, 5 * 1024 ** 5].map(size)).toEqual(['0 B', '1023 B', '1.0 KiB', '5120.0 TiB'])
  })
})

it('says what is damaged in a backup that cannot be rewritten, and what to do', () => {
  const why = '/backups/a.backup is damaged: its last line is not a checksum'
  const rejection = { ok: false, code: 'not-a-backup', why, message: `${why}. Use another backup` } as const
  expect(forgetText([{ file: 'a.backup', people: 0, rejection }], 2).split('\n')).toEqual([
    '2 people erased so far; 0 backups held none of their keys.',
    '/backups/a.backup is damaged: its last line is not a checksum. It was not rewritten and may hold keys of erased people: replace it with a good copy and run the command again, or remove it.',
  ])
})

it('parses KEEP', () => {
  expect([undefined, '', '7'].map((text) => keepOf({ KEEP: text }))).toEqual([undefined, undefined, 7])
  for (const text of ['0', '-1', '1.5', 'all', '10001'])
    expect(() => keepOf({ KEEP: text }), `of ${text}`).toThrow('KEEP must be a whole number')
})
