import { expect, it } from 'vitest'
import { email, limits } from './rules.ts'

const messagesFor = (value: string): readonly string[] =>
  email.safeParse(value).error?.issues.map(({ message }) => message) ?? []

it('an address is taken up to its length, and refused beyond it', () => {
  const domain = '@example.com'
  const longest = `${'a'.repeat(limits.emailChars - domain.length)}${domain}`
  expect(messagesFor(longest)).toEqual([])
  expect(messagesFor(`a${longest}`)).toEqual(['Please enter a valid email address'])
})

it('a long text that is almost an address is refused at once', () => {
  // Compared with the pattern, this takes half a minute: far beyond a test's time.
  expect(messagesFor(`a@${'.'.repeat(65_000)}@`)).toEqual(['Please enter a valid email address'])
})
