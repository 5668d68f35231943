import { expect, test } from 'vitest'
import { emailIndexOf, newResetToken, resetTokenHash, revisionOf, withRevision } from './reset-token.ts'

const emailIndex = 'ab'.repeat(32)

test('a token is 32 random bytes and what its request is found by, fit for an address', () => {
  const token = newResetToken(emailIndex)
  expect(token).toMatch(/^[\w-]{86}$/)
  expect(Buffer.from(token.slice(0, 43), 'base64url')).toHaveLength(32)
  expect(emailIndexOf(token)).toBe(emailIndex)
})

test('no two are the same', () => {
  expect(new Set(Array.from({ length: 100 }, () => newResetToken(emailIndex))).size).toBe(100)
})

test.each(['', 'short', 'x'.repeat(43), `${'x'.repeat(80)}../../`, `${'x'.repeat(85)} `, 'x'.repeat(87)])(
  'what is no token leads nowhere: %j',
  (text) => expect(emailIndexOf(text)).toBeUndefined(),
)

test('a token can say where its request is recorded, which changes nothing else about it', () => {
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
