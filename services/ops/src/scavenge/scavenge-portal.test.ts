import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { dataFiles } from '@portal/platform/files/data-folder'
import { openSqliteVault } from '@portal/platform/personal-data/sqlite-vault'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { CommandError } from '../command.ts'
import { reportSteps } from '../output/report-steps.ts'
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

it.each([
  ['a folder without keys', onSqlite, undefined, /^There are no users' keys at/],
  ['an administrator of another store', onSqlite, 'esdb://admin:secret@es1:2113', /keeps its log in SQLite/],
  ['an address of something else', () => configOn('esdb://es1:2113'), 'http://es1:2113', /^ADMIN_URL must be/],
  [
    'a server that is not there',
    () => configOn('esdb://u:secret@127.0.0.1:9?tls=false'),
    undefined,
    /cannot be scavenged/,
  ],
])('rejects %s in one line without credentials', async (_what, configured, adminUrl, words) => {
  const failure = await scavenge(configured(), adminUrl).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(CommandError)
  expect(String(failure)).toMatch(new RegExp(words.source.replace('^', '')))
  expect(String(failure)).not.toMatch(/\n|secret/)
  expect(await erasedKeysOnDisk(onSqlite())).toBeUndefined()
})

const scavenged = { at: 'esdb://es1:2113', nodes: ['es1:2113'], erasedKeys: 3, left: 0, tookMs: 12_300 }

it('reports removed keys, and keys erased meanwhile', () => {
  expect(scavengedText(scavenged)).toBe('Scavenged esdb://es1:2113 in 12 s: 3 erased keys removed from disk.')
  expect(scavengedText({ ...scavenged, nodes: ['es1:2113', 'es2:2113', 'es3:2113'], left: 1 })).toBe(
    'Scavenged esdb://es1:2113 on 3 nodes in 12 s: 2 erased keys removed from disk. 1 key erased since then: run make scavenge again.',
  )
})

const reporting = (isTTY: boolean, isJsonOutput: boolean) => {
  let now = 0
  const written: string[] = []
  const report = reportSteps({ isTTY, write: (text) => written.push(text) }, isJsonOutput, () => now)
  const at = (ms: number): void => {
    now = ms
    const progress = { step: 'scavenging', node: 'es1:2113', steps: 4 } as const
    report.report(progress, () => scavengeProgressText(progress))
  }
  return { at, written, report }
}

it('shows progress after two seconds, then every two', () => {
  const { at, written } = reporting(false, false)
  for (const ms of [0, 1_900, 2_000, 3_900, 4_000]) at(ms)
  expect(written).toEqual(Array.from({ length: 2 }, () => '… scavenging es1:2113, 4 steps done\n'))
})

it('writes JSON lines for programs, and clears a terminal line', () => {
  const programs = reporting(true, true)
  programs.at(2_500)
  expect(programs.written.map((line) => JSON.parse(line))).toEqual([{ step: 'scavenging', node: 'es1:2113', steps: 4 }])
  const terminal = reporting(true, false)
  terminal.at(2_500)
  terminal.report.end()
  expect(terminal.written.at(-1)).toBe('\r\u001b[2K')
})
