import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { erasedInKeysFile } from '../personal-data/erasure-log.ts'
import { forgetErased } from './forget-erased.ts'
import { openBackup } from './open-backup.ts'
import { backedUpTally, type BackedUpTally } from '@portal/platform/testing/backup/backed-up-tally'

let tallied: BackedUpTally
beforeEach(async () => {
  tallied = await backedUpTally()
})
afterEach(() => tallied.stop())

const forget = () =>
  forgetErased({
    folder: tallied.backups,
    erasures: erasedInKeysFile(tallied.keysFile),
    signal: new AbortController().signal,
  })

const keysIn = async (path: string, into: string): Promise<Buffer> => {
  const backup = await openBackup(path)
  if (!backup.ok) throw new Error(backup.message)
  return readFile((await backup.unpack(join(tallied.folder, into))).userKeysFile)
}

/** A backup contains the wrapped key, never the plain one. */
const wrappedKeyOf = (userId: string): Buffer => {
  const db = new DatabaseSync(tallied.keysFile, { readOnly: true })
  const wrapped = db.prepare('SELECT wrapped_key FROM user_keys WHERE user_id = ?').get(userId)?.['wrapped_key']
  db.close()
  if (!(wrapped instanceof Uint8Array)) throw new Error(`${userId} has no key`)
  return Buffer.from(wrapped)
}

it('BK-6 removes the key of an erased user from a backup, which stays valid', async () => {
  for (let n = 0; n < 20; n++) await tallied.note('a0', n)
  const wrapped = wrappedKeyOf('ben')
  const { path } = await tallied.backUp()
  expect((await keysIn(path, 'before')).includes(wrapped)).toBe(true)

  await tallied.vault.erase('ben')
  const { path: later } = await tallied.backUp()
  const before = await stat(later)
  expect(await tallied.check(path)).toMatchObject({ problems: [], erasedKeys: 1 })
  expect(await forget()).toEqual([
    { file: 'portal-20261122t190839.backup', people: 0 },
    { file: 'portal-20261122t190838.backup', people: 1 },
  ])
  expect((await keysIn(path, 'after')).includes(wrapped)).toBe(false)
  expect(await tallied.check(path)).toMatchObject({
    ok: true,
    problems: [],
    erasedKeys: 0,
    manifest: { people: { keys: 2, erased: 1 } },
  })
  // Backups without these keys stay unchanged.
  expect(await stat(later)).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs })
  expect((await forget()).map(({ people }) => people)).toEqual([0, 0])
  expect((await readdir(tallied.backups)).toSorted()).toEqual([
    '.lock.db',
    'portal-20261122t190838.backup',
    'portal-20261122t190839.backup',
  ])
})

it('leaves a damaged backup unchanged, and reports it', async () => {
  const { path } = await tallied.backUp()
  const bytes = await readFile(path)
  bytes.writeUInt8(bytes.readUInt8(2_000) ^ 1, 2_000)
  await writeFile(path, bytes)
  await tallied.vault.erase('ben')
  expect(await forget()).toMatchObject([{ people: 0, rejection: { code: 'damaged' } }])
  expect(await readFile(path)).toEqual(bytes)
})
