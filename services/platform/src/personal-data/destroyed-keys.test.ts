import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { countDestroyedKeysIn, wipeDestroyedKeysIn } from './destroyed-keys.ts'
import type { PersonalDataVault } from './port.ts'
import { openSqliteVault } from './sqlite-vault.ts'
import { until } from '../../testing/until.ts'

let folder: string
let opened: { close(): unknown }[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'destroyed-keys-'))
  opened = []
})
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close()
  rmSync(folder, { recursive: true })
})

const keysFile = (): string => join(folder, 'keys.db')

const openVault = (): PersonalDataVault => {
  const vault = openSqliteVault({ keysFile: keysFile(), masterKeyFile: join(folder, 'master.key') })
  opened.push(vault)
  return vault
}

const wrappedKeyOf = (userId: string): Buffer => {
  const reader = new DatabaseSync(keysFile(), { readOnly: true })
  const key = reader.prepare('SELECT wrapped_key FROM user_keys WHERE user_id = ?').get(userId)?.['wrapped_key']
  reader.close()
  if (!(key instanceof Uint8Array)) throw new Error(`${userId} has no key`)
  return Buffer.from(key)
}

const isOnDisk = (bytes: Buffer): boolean =>
  readdirSync(folder).some((file) => readFileSync(join(folder, file)).includes(bytes))

/** A connection with an open read transaction. */
const startReading = (): DatabaseSync => {
  const reader = new DatabaseSync(keysFile(), { readOnly: true })
  reader.exec('BEGIN; SELECT count(*) FROM user_keys')
  opened.push({ close: () => reader.isOpen && reader.close() })
  return reader
}

it('leaves no byte of an erased key in any file, with many users in any order', async () => {
  const vault = openVault()
  let made = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ seals: fc.integer({ min: 1, max: 60 }), at: fc.nat() }), { maxLength: 8 }),
      async (steps) => {
        const users: string[] = []
        for (const { seals, at } of steps) {
          // Random ids split table pages, and erasing merges them.
          const added = Array.from({ length: seals }, () => `${(made++ * 7_919) % 9_973}-${made}`)
          await Promise.all(added.map((user) => vault.encrypt(user, 'x')))
          users.push(...added)
          const [erased] = users.splice(at % users.length, 1)
          if (erased === undefined) continue
          const key = wrappedKeyOf(erased)
          expect(isOnDisk(key)).toBe(true)
          expect(await vault.erase(erased)).toBe('gone')
          expect(isOnDisk(key)).toBe(false)
        }
      },
    ),
    { numRuns: 25 },
  )
})

it('reports a blocking reader, and wipes the key after it', async () => {
  const vault = openVault()
  await vault.encrypt('ann', 'Ann Lee')
  const key = wrappedKeyOf('ann')
  const reader = startReading()
  expect(await vault.erase('ann')).toBe('held-by-reader')
  expect(isOnDisk(key)).toBe(true)
  expect(countDestroyedKeysIn(keysFile())).toBe(1)
  reader.close()
  await until(() => expect(isOnDisk(key)).toBe(false))
  expect(countDestroyedKeysIn(keysFile())).toBe(0)
  expect(await vault.erase('ann')).toBe('erased-before')
})

it('is completed by the next process after a crash', async () => {
  const first = openVault()
  await first.encrypt('ann', 'Ann Lee')
  const key = wrappedKeyOf('ann')
  const reader = startReading()
  await first.erase('ann')
  // The reader keeps the write-ahead log when this connection closes, as after a kill.
  await first.close()
  reader.exec('COMMIT')
  expect(isOnDisk(key)).toBe(true)
  openVault()
  expect(isOnDisk(key)).toBe(false)
})

it('has nothing to wipe for a user who never had a key', async () => {
  const vault = openVault()
  expect(await vault.erase('never-seen')).toBe('gone')
  expect(countDestroyedKeysIn(keysFile())).toBe(0)
})

it('can be wiped while a portal is running, as soon as no reader blocks it', async () => {
  const vault = openVault()
  const encrypted = await vault.encrypt('bob', 'Bob')
  await vault.encrypt('ann', 'Ann Lee')
  const key = wrappedKeyOf('ann')
  const reader = startReading()
  await vault.erase('ann')
  expect(wipeDestroyedKeysIn(keysFile())).toBe(false)
  reader.close()
  expect(wipeDestroyedKeysIn(keysFile())).toBe(true)
  expect([isOnDisk(key), countDestroyedKeysIn(keysFile())]).toEqual([false, 0])
  expect(await vault.decrypt('bob', encrypted)).toBe('Bob')
})

it('works with a file of an earlier release', () => {
  const old = new DatabaseSync(keysFile())
  old.exec('CREATE TABLE user_keys (user_id TEXT PRIMARY KEY, wrapped_key BLOB, erased_at TEXT) STRICT, WITHOUT ROWID')
  old.close()
  expect(countDestroyedKeysIn(keysFile())).toBe(0)
  expect(wipeDestroyedKeysIn(keysFile())).toBe(true)
})
