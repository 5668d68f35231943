import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { dataFiles } from '@portal/platform/files/data-folder'
import { openSqliteVault } from '@portal/platform/personal-data/sqlite-vault'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { CommandError } from '../command.ts'
import { erasedKeysOnDisk } from './erased-keys.ts'
import { scavengedText, scavengePortal } from './scavenge-portal.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'scavenge-'))
})
afterEach(() => rmSync(dataDir, { recursive: true }))

const configOn = (eventStoreUrl: string) => ({ dataDir, eventStoreUrl })
const onSqlite = () => configOn(`sqlite:${join(dataDir, 'events.db')}`)

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
  await expect(scavengePortal(onSqlite())).rejects.toThrow(
    /^Another process reads .*user-keys\.db; run make scavenge again/,
  )
  reader.close()
  expect(await scavengePortal(onSqlite())).toMatchObject({ at: dataFiles(dataDir).userKeys, left: 0 })
  expect(await erasedKeysOnDisk(onSqlite())).toEqual({ keys: 0, isAtLeast: false })
})

it('rejects what it cannot scavenge in one line without credentials', async () => {
  const cases = [
    ['a folder without keys', onSqlite, undefined, /^There are no users' keys at/],
    ['an administrator of another store', onSqlite, 'esdb://admin:secret@es1:2113', /keeps its log in SQLite/],
    ['an address of something else', () => configOn('esdb://es1:2113'), 'http://es1:2113', /^ADMIN_URL must name one/],
    ['several nodes', () => configOn('esdb://u:secret@es1:2113,es2:2113'), undefined, /^ADMIN_URL must name one/],
    ['a cluster', () => configOn('esdb://es1:2113'), 'esdb+discover://admin:secret@es', /^ADMIN_URL must name one/],
    [
      'a server that is not there',
      () => configOn('esdb://u:secret@127.0.0.1:9?tls=false'),
      undefined,
      /cannot count the erased keys/,
    ],
  ] as const
  for (const [what, configured, adminUrl, words] of cases) {
    const failure = await scavengePortal(configured(), adminUrl).catch((error: unknown) => error)
    expect(failure, `of ${what}`).toBeInstanceOf(CommandError)
    expect(String(failure)).toMatch(new RegExp(words.source.replace('^', '')))
    expect(String(failure)).not.toMatch(/\n|secret/)
    expect(await erasedKeysOnDisk(onSqlite())).toBeUndefined()
  }
})

it('reports removed keys, keys erased meanwhile, and what to do while EventStoreDB scavenges', () => {
  const done = { at: '/data/user-keys.db', nodes: [], erasedKeys: 3, left: 0 }
  expect(scavengedText(done)).toBe('Scavenged /data/user-keys.db: 3 erased keys removed from disk.')
  expect(scavengedText({ ...done, left: 1 })).toBe(
    'Scavenged /data/user-keys.db: 2 erased keys removed from disk. 1 key erased since then: run make scavenge again.',
  )
  expect(scavengedText({ at: 'esdb://es1:2113', nodes: ['es1:2113'], erasedKeys: 3 })).toBe(
    [
      'Started a scavenge of esdb://es1:2113, with 3 erased keys on disk.',
      'make status counts erased keys until all nodes are scavenged. For the next node, see docs/eventstoredb.md.',
    ].join('\n'),
  )
})
