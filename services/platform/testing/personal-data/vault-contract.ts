import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encryptedTextSchema } from '@portal/contracts/auth/events'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ErasedUserError, type PersonalDataVault } from '../../src/personal-data/port.ts'
import { MasterKeyError } from '../../src/personal-data/master-key.ts'
import { TamperedError } from '../../src/personal-data/encryption.ts'

type VaultUnderTest = {
  readonly masterKeyFile: string
  readonly masterKey?: Uint8Array
  readonly cachedKeys?: number
}

type VaultHarness = {
  /** Opens the vault of the folder, with the same keys after a close. */
  open(folder: string, options: VaultUnderTest): Promise<PersonalDataVault>
  /** Removes all keys. */
  reset(): Promise<void>
  dispose(): Promise<void>
}

/** The contract tests of a personal data vault. */
export const vaultContract = (name: string, makeHarness: () => Promise<VaultHarness>): void => {
  let harness: VaultHarness
  let folder: string
  let opened: PersonalDataVault[]

  const open = async (options: Partial<VaultUnderTest> = {}): Promise<PersonalDataVault> => {
    const vault = await harness.open(folder, { masterKeyFile: join(folder, 'master.key'), ...options })
    opened.push(vault)
    return vault
  }
  const reopen = async (options: Partial<VaultUnderTest> = {}): Promise<PersonalDataVault> => {
    await opened.pop()?.close()
    return open(options)
  }
  const emptyFolder = (): void => {
    folder = mkdtempSync(join(tmpdir(), 'vault-'))
  }

  describe(`${name} keeps personal data`, () => {
    beforeEach(async () => {
      emptyFolder()
      opened = []
      harness = await makeHarness()
    })
    afterEach(async () => {
      for (const vault of opened) await vault.close()
      await harness.dispose()
      rmSync(folder, { recursive: true })
    })

    describe('encryption', () => {
      it('decrypts any text for its user, even after a restart, and never produces the same output twice', async () => {
        const vault = await open()
        const encryptedTexts = new Map<string, string>()
        await fc.assert(
          fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 50 }), async (text) => {
            const [first, second] = [await vault.encrypt('ann', text), await vault.encrypt('ann', text)]
            expect(first).not.toBe(second)
            expect(await vault.decrypt('ann', first)).toBe(text)
            encryptedTexts.set(second, text)
          }),
        )
        const later = await reopen()
        for (const [encrypted, text] of encryptedTexts) {
          expect(await later.decrypt('ann', encryptedTextSchema.parse(encrypted))).toBe(text)
        }
      })
      it('rejects changed data', async () => {
        const vault = await open()
        const bytes = Buffer.from(await vault.encrypt('ann', 'Ann Lee'), 'base64url')
        await fc.assert(
          fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
            const changed = Buffer.from(bytes)
            changed.writeUInt8(changed.readUInt8(at) ^ change, at)
            const encrypted = encryptedTextSchema.parse(changed.toString('base64url'))
            await expect(vault.decrypt('ann', encrypted)).rejects.toThrow(TamperedError)
          }),
        )
        for (const text of ['', 'AQ', 'no base64url: ä']) {
          await expect(vault.decrypt('ann', encryptedTextSchema.parse(text))).rejects.toThrow(TamperedError)
        }
      })
      it("does not decrypt one user's data for another", async () => {
        const vault = await open()
        await vault.encrypt('bob', 'x')
        await expect(vault.decrypt('bob', await vault.encrypt('ann', 'Ann Lee'))).rejects.toThrow(TamperedError)
      })
      it('creates one key for concurrent calls of a user', async () => {
        const vault = await open()
        const texts = Array.from({ length: 100 }, (_, i) => `text ${i}`)
        const encrypted = await Promise.all(texts.map((text, i) => vault.encrypt(`user ${i % 7}`, text)))
        const later = await reopen()
        expect(await Promise.all(encrypted.map((text, i) => later.decrypt(`user ${i % 7}`, text)))).toEqual(texts)
      })
      it('keeps the keys of more users than fit in memory', async () => {
        const vault = await open({ cachedKeys: 2 })
        const users = Array.from({ length: 100 }, (_, n) => `user ${n}`)
        const encrypted = await Promise.all(users.map((user) => vault.encrypt(user, `text of ${user}`)))
        const texts = await Promise.all(encrypted.map((text, i) => vault.decrypt(users[i] ?? '', text)))
        expect(texts).toEqual(users.map((user) => `text of ${user}`))
      })
    })

    describe('erasure', () => {
      it('makes the data unreadable and the user unusable permanently', async () => {
        const vault = await open()
        const encrypted = await vault.encrypt('ann', 'Ann Lee')
        const other = await vault.encrypt('bob', 'Bob')
        await vault.erase('ann')
        await vault.erase('ann')
        const expectGone = async (current: PersonalDataVault) => {
          expect(await current.decrypt('ann', encrypted)).toBeUndefined()
          await expect(current.encrypt('ann', 'again')).rejects.toThrow(ErasedUserError)
          expect(await current.decrypt('bob', other)).toBe('Bob')
        }
        await expectGone(vault)
        await expectGone(await reopen())
      })
      it('works for a user without a key', async () => {
        const vault = await open()
        await vault.erase('never-seen')
        await expect(vault.encrypt('never-seen', 'x')).rejects.toThrow(ErasedUserError)
      })
    })

    describe('the index', () => {
      it('is the same for the same text and purpose, and depends on both and on the master key', async () => {
        const vault = await open()
        const index = vault.index('email', 'ann@example.com')
        expect(index).toMatch(/^[0-9a-f]{64}$/)
        expect(vault.index('mobile', 'ann@example.com')).not.toBe(index)
        expect(vault.index('email', 'bob@example.com')).not.toBe(index)
        expect((await reopen()).index('email', 'ann@example.com')).toBe(index)
        await opened.pop()?.close()
        rmSync(folder, { recursive: true })
        emptyFolder()
        await harness.reset()
        expect((await open()).index('email', 'ann@example.com')).not.toBe(index)
      })
    })

    describe('the master key', () => {
      it('is created on first use, private to its owner', async () => {
        await open()
        expect((statSync(join(folder, 'master.key')).mode & 0o777).toString(8)).toBe('600')
        expect(readdirSync(folder).filter((file) => file.startsWith('master'))).toEqual(['master.key'])
      })
      it('can be given instead, and is then not stored', async () => {
        await open({ masterKey: Buffer.alloc(32, 7) })
        expect(readdirSync(folder)).not.toContain('master.key')
      })
      it('is rejected if it is missing, changed or damaged', async () => {
        await open()
        const expectRefusal = async (words: RegExp, options: Partial<VaultUnderTest> = {}) => {
          await opened.pop()?.close()
          await expect(open(options)).rejects.toThrow(words)
          await expect(open(options)).rejects.toThrow(MasterKeyError)
        }
        await expectRefusal(/^MASTER_KEY is not the key that .* made with/, { masterKey: Buffer.alloc(32, 7) })
        const file = join(folder, 'master.key')
        writeFileSync(file, '00'.repeat(32))
        await expectRefusal(/master\.key is not the key that/)
        writeFileSync(file, 'spoilt')
        await expectRefusal(/master\.key does not hold a key/)
        rmSync(file)
        await expectRefusal(/master\.key is missing/)
      })
    })
  })
}
