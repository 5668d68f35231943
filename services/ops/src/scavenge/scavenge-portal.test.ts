import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { dataFiles } from '@portal/platform/files/data-folder'
import { openSqliteVault } from '@portal/platform/personal-data/sqlite-vault'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { CommandError } from '../command.ts'
import { erasedKeysOnDisk } from './erased-keys.ts'
import { scavengedText, scavengePortal, scavengeProgressText } from './scavenge-portal.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'scavenge-'))
})
afterEach(() => rmSync(dataDir, { recursive: true }))

const configOn = (eventStoreUrl: string) => ({ dataDir, eventStoreUrl })
const onSqlite = () => configOn(`sqlite:${join(dataDir, 'events.db')}`)

const scavenge = (config: ReturnType<typeof configOn>, adminUrl?: string) =>
  scavengePortal(config, adminUrl, { signal: new AbortController().signal, onProgress: () => undefined })

const openVault = () => {
  const { userKeys: keysFile, masterKey: masterKeyFile } = dataFiles(dataDir)
  const vault = openSqliteVault({ keysFile, masterKeyFile })
  onTestFinished(() => vault.close())
  return vault
}

it('truncates the write-ahead log of the keys while a portal is running', async () => {
  const vault = openVault()
  expect(await erasedKeysOnDisk(onSqlite())).toEqual({ keys: 0, isAtLeast: false })
  await vault.encrypt('ann', 'Ann Lee')
  const reader = new DatabaseSync(dataFiles(dataDir).userKeys, { readOnly: true })
  reader.exec('BEGIN; SELECT count(*) FROM user_keys')
  await vault.erase('ann')
  expect(await erasedKeysOnDisk(onSqlite())).toEqual({ keys: 1, isAtLeast: false })
  await expect(scavenge(onSqlite())).rejects.toThrow(/^Another process reads .*user-keys\.db; run make scavenge again/)
  reader.close()
  expect(await scavenge(onSqlite())).toMatchObject({ at: dataFiles(dataDir).userKeys, left: 0 })
  expect(await erasedKeysOnDisk(onSqlite())).toEqual({ keys: 0, isAtLeast: false })
})

it('rejects what it cannot scavenge in one line without credentials', async () => {
  const cases = [
    ['a folder without keys', onSqlite, undefined, /^There are no users' keys at/],
    ['an administrator of another store', onSqlite, 'esdb://admin:secret@es1:2113', /keeps its log in SQLite/],
    ['an address of something else', () => configOn('esdb://es1:2113'), 'http://es1:2113', /^ADMIN_URL must be/],
    [
      'a server that is not there',
      () => configOn('esdb://u:secret@127.0.0.1:9?tls=false'),
      undefined,
      /cannot be scavenged/,
    ],
  ] as const
  for (const [what, configured, adminUrl, words] of cases) {
    const failure = await scavenge(configured(), adminUrl).catch((error: unknown) => error)
    expect(failure, `of ${what}`).toBeInstanceOf(CommandError)
    expect(String(failure)).toMatch(new RegExp(words.source.replace('^', '')))
    expect(String(failure)).not.toMatch(/\n|secret/)
    expect(await erasedKeysOnDisk(onSqlite())).toBeUndefined()
  }
})

const scavenged = { at: 'esdb://es1:2113', nodes: ['es1:2113'], erasedKeys: 3, left: 0, tookMs: 12_300 }

it('reports its steps, removed keys, and keys erased meanwhile', () => {
  const progress = { step: 'scavenging', node: 'es1:2113', steps: 4 } as const
  expect(scavengeProgressText(progress)).toBe('scavenging es1:2113, 4 steps done')
  expect(scavengedText(scavenged)).toBe('Scavenged esdb://es1:2113 in 12 s: 3 erased keys removed from disk.')
  expect(scavengedText({ ...scavenged, nodes: ['es1:2113', 'es2:2113', 'es3:2113'], left: 1 })).toBe(
    'Scavenged esdb://es1:2113 on 3 nodes in 12 s: 2 erased keys removed from disk. 1 key erased since then: run make scavenge again.',
  )
})
