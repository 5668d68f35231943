import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openVault } from '../adapters/open-adapters.ts'
import { openErasureLog, readErasures } from './erasure-log.ts'
import { openSqliteVault } from './sqlite-vault.ts'

const at = new Date('2026-11-22T10:00:00.000Z')
const later = new Date('2026-11-22T11:00:00.000Z')
const recordOf = (userId: string, erasedAt = at) => ({ userId, erasedAt: erasedAt.toISOString() })

const newFiles = () => {
  const folder = mkdtempSync(join(tmpdir(), 'erasures-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return {
    erasuresFile: join(folder, 'erasures.jsonl'),
    keysFile: join(folder, 'user-keys.db'),
    masterKeyFile: join(folder, 'master.key'),
  }
}

test('an erasure is recorded once, even if repeated by another process', () => {
  const { erasuresFile: file } = newFiles()
  expect(readErasures(file)).toEqual([])
  const log = openErasureLog(file)
  log.record('ann', at)
  log.record('ann', later)
  openErasureLog(file).record('ann', later)
  openErasureLog(file).record('ben', later)
  expect(readErasures(file)).toEqual([recordOf('ann'), recordOf('ben', later)])
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('a line truncated at any byte does not affect others', () => {
  const { erasuresFile: file } = newFiles()
  openErasureLog(file).record('ann', at)
  const whole = statSync(file).size
  const line = `${JSON.stringify(recordOf('ben'))}\n`
  for (let bytes = 1; bytes < line.length - 1; bytes++) {
    truncateSync(file, whole)
    appendFileSync(file, line.slice(0, bytes))
    expect(readErasures(file)).toEqual([recordOf('ann')])
    openErasureLog(file).record('cem', later)
    expect(readErasures(file)).toEqual([recordOf('ann'), recordOf('cem', later)])
  }
})

test('RS-6 the vault records an erasure before it destroys the key', async () => {
  const { erasuresFile, ...files } = newFiles()
  const vault = await openVault('sqlite:', { ...files, erasuresFile })
  const encrypted = await vault.encrypt('ann', 'Ann Lee')
  await vault.erase('ann')
  await vault.erase('ann')
  expect(readErasures(erasuresFile).map(({ userId }) => userId)).toEqual(['ann'])
  expect(await vault.decrypt('ann', encrypted)).toBeUndefined()
  await vault.close()
})

test('RS-6 a key is kept if its erasure cannot be recorded', async () => {
  const { keysFile, masterKeyFile } = newFiles()
  const vault = await openVault('sqlite:', { keysFile, masterKeyFile, erasuresFile: '/proc/none/erasures.jsonl' })
  const encrypted = await vault.encrypt('ann', 'Ann Lee')
  await expect(vault.erase('ann')).rejects.toThrow(/ENOENT/)
  expect(await vault.decrypt('ann', encrypted)).toBe('Ann Lee')
  await vault.close()
})

test('erasures by earlier releases are recorded when the vault is opened', async () => {
  const { erasuresFile, ...files } = newFiles()
  const before = openSqliteVault(files)
  await before.encrypt('ann', 'Ann Lee')
  await before.erase('ann')
  await before.erase('ben')
  await before.close()
  expect(existsSync(erasuresFile)).toBe(false)
  await (await openVault('sqlite:', { ...files, erasuresFile })).close()
  const known = readErasures(erasuresFile).map(({ userId }) => userId)
  expect(known.toSorted()).toEqual(['ann', 'ben'])
  const text = readFileSync(erasuresFile, 'utf8')
  await (await openVault('sqlite:', { ...files, erasuresFile })).close()
  expect(readFileSync(erasuresFile, 'utf8')).toBe(text)
})
