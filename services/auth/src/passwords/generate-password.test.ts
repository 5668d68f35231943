import { newPassword } from '@portal/contracts/shared/rules'
import { expect, test } from 'vitest'
import { generatePassword } from './generate-password.ts'

test('generates unique passwords that pass the rules', () => {
  const passwords = Array.from({ length: 500 }, generatePassword)
  for (const password of passwords) {
    expect(newPassword.safeParse(password).success).toBe(true)
    expect(password).toMatch(/^(?:[A-HJ-NP-Za-kmnp-z2-9]{4}-){3}[A-HJ-NP-Za-kmnp-z2-9]{4}$/)
  }
  expect(new Set(passwords).size).toBe(passwords.length)
})
