import { userIdAt } from '@portal/notifications/testing/samples'
import { describe, expect, it } from 'vitest'
import { matchContacts } from './contacts.ts'
import { createProfileParser, createUniversityPool } from './indexed-person.ts'

const parse = createProfileParser(createUniversityPool())
const person = (n: number, personalEmail: string, studentCode: string) => ({
  userId: userIdAt(n),
  profile: parse(JSON.stringify({ fullName: 'Someone', universityName: '', personalEmail, studentCode })),
})
const [ada, ben] = [userIdAt(1), userIdAt(2)]
const everyone = [
  person(1, 'ada@example.com', 'MIN-2026-0001'),
  person(2, 'ben@example.com', 'MIN-2026-0002'),
  person(3, 'admin@example.com', ''),
  { userId: userIdAt(4), profile: undefined },
]

const match = async (...contacts: readonly string[]) => {
  const { userIds, ...report } = await matchContacts(contacts, everyone)
  return { found: [...userIds], ...report }
}

describe('pasted contacts', () => {
  it('match e-mail addresses and student codes without regard to case', async () => {
    expect(await match('ADA@Example.com', 'min-2026-0002')).toEqual({
      found: [ada, ben],
      unknown: [],
      duplicates: 0,
      given: 2,
    })
  })

  it('report unknown ones once, as given', async () => {
    expect(await match('Nobody@example.com', 'nobody@example.com', 'X-1')).toEqual({
      found: [],
      unknown: ['Nobody@example.com', 'X-1'],
      duplicates: 1,
      given: 3,
    })
  })

  it('count a repeated user as a duplicate, also if another contact names them', async () => {
    expect(await match('ada@example.com', 'ada@example.com', 'MIN-2026-0001')).toMatchObject({
      found: [ada],
      duplicates: 2,
    })
  })

  it('ignore blank ones, which match no user without a student code or a profile', async () => {
    expect(await match('', 'ben@example.com')).toEqual({ found: [ben], unknown: [], duplicates: 0, given: 1 })
  })

  it('are matched in slices, so that other requests are answered in between', async () => {
    const contacts = Array.from({ length: 100_000 }, (_, n) => `someone-${n}@example.com`)
    let turns = 0
    let isDone = false
    const countTurns = (): void => {
      turns += 1
      if (!isDone) setImmediate(countTurns)
    }
    setImmediate(countTurns)
    const { unknown } = await matchContacts(contacts, everyone)
    isDone = true
    expect(unknown).toHaveLength(contacts.length)
    expect(turns).toBeGreaterThan(2)
  })
})
