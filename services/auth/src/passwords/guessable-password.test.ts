import { newPassword } from '@portal/contracts/shared/rules'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { generatePassword } from './generate-password.ts'
import { guessability } from './guessable-password.ts'

const owner = {
  fullName: 'Asha Verma',
  personalEmail: 'asha.verma@example.com',
  mobileNumber: '9876501234',
  universityName: 'Northfield Institute',
}

test('rejects a common password with the characters that the rules require', () => {
  const common = [
    'Password1!',
    'Welcome@123',
    'Admin@123',
    'P@ssw0rd',
    'Pa$$w0rd1',
    'P@55w0rd!',
    'Qwerty123!',
    'Abc123!@#',
    '1qaz@WSX',
    'Iloveyou1!',
    'Letmein1!',
    'Summer2026!',
    'Aa123456!',
    '!!Dragon123456!!',
    'PASSword#1',
    'Pass-word-1',
    'Portal@2026',
    'Aaaaaaa1!',
    'Abcdefgh1!',
    'Asdasdasdasd1!',
    'Aa11223344!',
  ]
  expect(common.filter((password) => !newPassword.safeParse(password).success)).toEqual([])
  expect(common.filter((password) => guessability(password, {}) !== 'common')).toEqual([])
})

describe('rejects a password made of data about its owner or the portal', () => {
  it('in Latin letters', () => {
    const own = [
      'Verma@2026',
      'V3rma-2026!',
      'AshaVerma-1',
      'Asha.verma@example.com1',
      'Asha-Password1',
      'Aa!9876501234',
      'Example-2026',
      'Northfield-1',
      'Learning-Portal-1',
      'Minor@123',
      'MinorPrograms1!',
      'Faculty@123',
      'Semester-2026',
    ]
    expect(own.filter((password) => !newPassword.safeParse(password).success)).toEqual([])
    expect(own.filter((password) => guessability(password, owner) === undefined)).toEqual([])
  })

  it('with accents or in another script', () => {
    expect(guessability('Rene-2026-x', { fullName: 'Léa René' })).toBe('own')
    expect(guessability('आशावर्मा-Aa1', { fullName: 'आशावर्मा' })).toBe('own')
  })
})

test('other passwords pass, and all generated ones', () => {
  const others = [
    'Monsoon-2026',
    'Verma-likes-Mangoes-9',
    'Minor-setback-Tulip4',
    'Aaa-bridge-77x',
    'Correct-horse1',
    'Zx9$kQ2#vLm7',
    'Tr0ub4dor&3',
  ]
  const generated = Array.from({ length: 200 }, () => generatePassword())
  expect([...others, ...generated].filter((password) => guessability(password, owner) !== undefined)).toEqual([])
})

/** A bound on its work: this many checks of the longest texts would take minutes if it grew with their square. */
test('checks any text of the maximum length in time', () => {
  const characters = fc.constantFrom(...'aA1!@p0 -é\u{1F600}')
  fc.assert(
    fc.property(fc.string({ unit: characters, maxLength: 128 }), (text) => {
      guessability(text, { ...owner, fullName: text })
    }),
    { numRuns: 500 },
  )
})
