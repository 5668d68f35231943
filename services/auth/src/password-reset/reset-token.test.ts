import { expect, test } from 'vitest'
import { emailIndexOf, newResetToken, resetTokenHash, revisionOf, withRevision } from './reset-token.ts'

const emailIndex = 'ab'.repeat(32)

test('a token is 32 random bytes and the e-mail index, in URL-safe characters', () => {
  const token = newResetToken(emailIndex)
  expect(token).toMatch(/^[\w-]{86}$/)
  expect(Buffer.from(token.slice(0, 43), 'base64url')).toHaveLength(32)
  expect(emailIndexOf(token)).toBe(emailIndex)
})

test('tokens are unique', () => {
  expect(new Set(Array.from({ length: 100 }, () => newResetToken(emailIndex))).size).toBe(100)
})

test('a malformed token has no e-mail index', () => {
  const texts = ['', 'short', 'x'.repeat(43), `${'x'.repeat(80)}../../`, `${'x'.repeat(85)} `, 'x'.repeat(87)]
  expect(texts.filter((text) => emailIndexOf(text) !== undefined)).toEqual([])
})

test('a token can carry the revision of its request, which does not affect its hash', () => {
  const token = newResetToken(emailIndex)
  const longest = withRevision(token, 2 ** 31)
  expect(longest.length).toBeLessThanOrEqual(100)
  expect(revisionOf(longest)).toBe(2 ** 31)
  expect(revisionOf(token)).toBe(0)
  expect(emailIndexOf(longest)).toBe(emailIndex)
  const vault = { index: (purpose: string, text: string) => `${purpose} ${text}` }
  expect(resetTokenHash(vault, longest)).toBe(resetTokenHash(vault, token))
  expect(emailIndexOf(`${token}.`)).toBeUndefined()
  expect(emailIndexOf(`${token}.-1`)).toBeUndefined()
})
