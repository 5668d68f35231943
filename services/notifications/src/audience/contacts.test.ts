import { describe, expect, it } from 'vitest'
import { matchContacts } from './contacts.ts'

const person = (personalEmail: string, studentCode: string) => ({
  profile: {
    fullName: 'Someone',
    personalEmail,
    studentCode,
    university: { name: '', key: '' },
    searchKey: '',
  },
})
const ada = person('ada@example.com', 'MIN-2026-0001')
const ben = person('ben@example.com', 'MIN-2026-0002')
const admin = person('admin@example.com', '')

const match = (...contacts: readonly string[]) => {
  const matcher = matchContacts(contacts)
  for (const one of [ada, ben, admin]) matcher.count(one)
  const found = [ada, ben, admin].filter((one) => matcher.isContact(one))
  return { found, ...matcher.report() }
}

describe('pasted contacts', () => {
  it('match e-mail addresses and student codes without regard to case', () => {
    expect(match('ADA@Example.com', 'min-2026-0002')).toEqual({ found: [ada, ben], unknown: [], duplicates: 0 })
  })

  it('report unknown ones once, as given', () => {
    expect(match('Nobody@example.com', 'nobody@example.com', 'X-1')).toEqual({
      found: [],
      unknown: ['Nobody@example.com', 'X-1'],
      duplicates: 1,
    })
  })

  it('count a repeated user as a duplicate, also if another contact names them', () => {
    expect(match('ada@example.com', 'ada@example.com', 'MIN-2026-0001')).toMatchObject({ found: [ada], duplicates: 2 })
  })

  it('ignore blank ones, which match no user without a student code', () => {
    expect(match('', 'ben@example.com')).toEqual({ found: [ben], unknown: [], duplicates: 0 })
  })

  it('match nobody whose profile is not decrypted', () => {
    expect(matchContacts(['ada@example.com']).isContact({ profile: undefined })).toBe(false)
  })
})
