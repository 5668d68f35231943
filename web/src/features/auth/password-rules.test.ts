import { newPassword } from '@portal/contracts/shared/rules'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { brokenRules } from './password-rules.ts'

describe('the password checklist', () => {
  it.each([
    ['', ['8 characters', 'An uppercase letter', 'A lowercase letter', 'A digit', 'A special character']],
    ['secret#1', ['An uppercase letter']],
    ['SECRET#1', ['A lowercase letter']],
    ['Secret##', ['A digit']],
    ['Secret11', ['A special character']],
    ['Sec 11#', ['8 characters']],
    ['Secret#1', []],
  ])('names what %j lacks', (password, broken) => {
    expect(brokenRules(password)).toEqual(broken)
  })

  it('is complete exactly for the passwords that the server accepts', () => {
    const characters = fc.constantFrom(...'aZ9# é')
    fc.assert(
      fc.property(fc.string({ unit: characters, maxLength: 12 }), (password) => {
        expect(brokenRules(password).length === 0).toBe(newPassword.safeParse(password).success)
      }),
    )
  })
})
