import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sealedTextSchema } from '@portal/contracts/auth/events'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MasterKeyError } from './master-key.ts'
import type { PersonalDataVault } from './port.ts'
import { TamperedError } from './sealing.ts'
import { ErasedUserError, openSqliteVault } from './sqlite-vault.ts'

let folder: string
let opened: PersonalDataVault[]

const open = (options: { masterKey?: Uint8Array; cachedKeys?: number } = {}): PersonalDataVault => {
  const vault = openSqliteVault({
    keysFile: join(folder, 'keys.db'),
    masterKeyFile: join(folder, 'master.key'),
    ...options,
  })
  opened.push(vault)
  return vault
}
const reopen = async (options: { masterKey?: Uint8Array } = {}): Promise<PersonalDataVault> => {
  await opened.pop()?.close()
  return open(options)
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vault-'))
  opened = []
})
afterEach(async () => {
  for (const vault of opened) await vault.close()
  rmSync(folder, { recursive: true })
})

describe('sealing', () => {
  it('gives back any text to its own user, also after a restart, and never repeats itself', async () => {
    const vault = open()
    const sealedTexts = new Map<string, string>()
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 50 }), async (text) => {
        const [first, second] = [await vault.seal('ann', text), await vault.seal('ann', text)]
        expect(first).not.toBe(second)
        expect(await vault.open('ann', first)).toBe(text)
        sealedTexts.set(second, text)
      }),
    )
    const later = await reopen()
    for (const [sealed, text] of sealedTexts) {
      expect(await later.open('ann', sealedTextSchema.parse(sealed))).toBe(text)
    }
  })
  it('refuses anything that was changed', async () => {
    const vault = open()
    const bytes = Buffer.from(await vault.seal('ann', 'Ann Lee'), 'base64url')
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const changed = Buffer.from(bytes)
        changed.writeUInt8(changed.readUInt8(at) ^ change, at)
        const sealed = sealedTextSchema.parse(changed.toString('base64url'))
        await expect(vault.open('ann', sealed)).rejects.toThrow(TamperedError)
      }),
    )
    for (const text of ['', 'AQ', 'no base64url: ä']) {
      await expect(vault.open('ann', sealedTextSchema.parse(text))).rejects.toThrow(TamperedError)
    }
  })
  it("does not open one user's data for another", async () => {
    const vault = open()
    await vault.seal('bob', 'x')
    await expect(vault.open('bob', await vault.seal('ann', 'Ann Lee'))).rejects.toThrow(TamperedError)
  })
  it('makes one key for a user who is sealed for several times at once', async () => {
    const vault = open()
    const texts = Array.from({ length: 100 }, (_, i) => `text ${i}`)
    const sealed = await Promise.all(texts.map((text, i) => vault.seal(`user ${i % 7}`, text)))
    const later = await reopen()
    expect(await Promise.all(sealed.map((text, i) => later.open(`user ${i % 7}`, text)))).toEqual(texts)
  })
  it('keeps the keys of more users than fit in memory', async () => {
    const vault = open({ cachedKeys: 2 })
    const users = ['a', 'b', 'c', 'd', 'e']
    const sealed = await Promise.all(users.map((user) => vault.seal(user, `text of ${user}`)))
    const texts = await Promise.all(sealed.map((text, i) => vault.open(users[i] ?? '', text)))
    expect(texts).toEqual(users.map((user) => `text of ${user}`))
  })
})

describe('erasing', () => {
  it('makes the data unreadable and the user unusable, for good', async () => {
    const vault = open()
    const sealed = await vault.seal('ann', 'Ann Lee')
    const other = await vault.seal('bob', 'Bob')
    await vault.erase('ann')
    await vault.erase('ann')
    const expectGone = async (current: PersonalDataVault) => {
      expect(await current.open('ann', sealed)).toBeUndefined()
      await expect(current.seal('ann', 'again')).rejects.toThrow(ErasedUserError)
      expect(await current.open('bob', other)).toBe('Bob')
    }
    await expectGone(vault)
    await expectGone(await reopen())
  })
  it('holds also for a user without a key', async () => {
    const vault = open()
    await vault.erase('never-seen')
    await expect(vault.seal('never-seen', 'x')).rejects.toThrow(ErasedUserError)
  })
  it('leaves no copy of the wrapped key on disk', async () => {
    const vault = open()
    await vault.seal('ann', 'Ann Lee')
    const reader = new DatabaseSync(join(folder, 'keys.db'), { readOnly: true })
    const wrapped = reader.prepare('SELECT wrapped_key FROM user_keys').get()?.['wrapped_key']
    reader.close()
    if (!(wrapped instanceof Uint8Array)) throw new Error('expected a wrapped key')
    const onDisk = () =>
      readdirSync(folder).some((file) => readFileSync(join(folder, file)).includes(Buffer.from(wrapped)))
    expect(onDisk()).toBe(true)
    await vault.erase('ann')
    expect(onDisk()).toBe(false)
  })
})

describe('the index', () => {
  it('is the same for the same text and purpose, and depends on both and on the master key', async () => {
    const vault = open()
    const index = vault.index('email', 'ann@example.com')
    expect(index).toMatch(/^[0-9a-f]{64}$/)
    expect(vault.index('mobile', 'ann@example.com')).not.toBe(index)
    expect(vault.index('email', 'bob@example.com')).not.toBe(index)
    expect((await reopen()).index('email', 'ann@example.com')).toBe(index)
    await opened.pop()?.close()
    rmSync(folder, { recursive: true })
    folder = mkdtempSync(join(tmpdir(), 'vault-'))
    expect(open().index('email', 'ann@example.com')).not.toBe(index)
  })
})

describe('the master key', () => {
  it('is made on first use, for its owner alone', () => {
    open()
    const modes = readdirSync(folder).map((file) => [file, (statSync(join(folder, file)).mode & 0o777).toString(8)])
    expect(Object.fromEntries(modes)).toEqual({
      'master.key': '600',
      'keys.db': '600',
      'keys.db-wal': '600',
      'keys.db-shm': '600',
    })
  })
  it('can be given instead, and is then not written down', () => {
    open({ masterKey: Buffer.alloc(32, 7) })
    expect(readdirSync(folder)).not.toContain('master.key')
  })
  it('is missed, when it is lost, changed or spoilt', async () => {
    open()
    const expectRefusal = async (words: RegExp, options = {}) => {
      await opened.pop()?.close()
      expect(() => open(options)).toThrow(words)
      expect(() => open(options)).toThrow(MasterKeyError)
    }
    await expectRefusal(/^MASTER_KEY is not the key that .*keys\.db was made with/, { masterKey: Buffer.alloc(32, 7) })
    const file = join(folder, 'master.key')
    writeFileSync(file, '00'.repeat(32))
    await expectRefusal(/master\.key is not the key that/)
    writeFileSync(file, 'spoilt')
    await expectRefusal(/master\.key does not hold a key/)
    rmSync(file)
    await expectRefusal(/master\.key is missing/)
  })
})
