import type { Audience } from '@portal/contracts/notifications/audience'
import { programRecordIdSchema, type UserId } from '@portal/contracts/shared/ids'
import { notificationIdAt, userIdAt } from '@portal/notifications/testing/samples'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { IndexedPerson } from './indexed-person.ts'
import { createCondition } from './rules.ts'

const programIds = [1, 2, 3].map((n) => programRecordIdSchema.parse(`01900009-0000-7000-8000-00000000000${n}`))
const universities = ['Eastbrook', 'Westlake'].map((name) => ({ name, key: name.toLowerCase() }))
const payments = ['Pending', 'Completed'] as const

const enrollment = fc.record({
  programId: fc.constantFrom(...programIds),
  paymentStatus: fc.constantFrom(...payments),
  semester: fc.constantFrom(1, 2),
  installmentDue: fc.constantFrom(1, 2, undefined),
})
const personAt = (n: number) =>
  fc.record({
    userId: fc.constant(userIdAt(n)),
    role: fc.constantFrom('admin' as const, 'faculty' as const, 'student' as const),
    emailVerified: fc.constant(true),
    isDeactivated: fc.constant(false),
    registeredAtMs: fc.constant(0),
    enrollments: fc.array(enrollment, { maxLength: 3 }),
    profile: fc.record({
      fullName: fc.constant(`Person ${n}`),
      personalEmail: fc.constant(`person${n}@example.com`),
      studentCode: fc.constant(`CODE-${n}`),
      university: fc.constantFrom(...universities),
      emailKey: fc.constant(`person${n}@example.com`),
      codeKey: fc.constant(`code-${n}`),
      searchKey: fc.constant(`person ${n}`),
    }),
  })
const population: fc.Arbitrary<readonly IndexedPerson[]> = fc.tuple(...[0, 1, 2, 3, 4, 5].map(personAt))

/** Absent, empty, or some. */
const some = <Item>(...items: readonly Item[]) => fc.option(fc.subarray([...items]), { nil: undefined })

const audiences = fc.record({
  everyone: fc.constantFrom(true as const, undefined),
  programIds: some(...programIds),
  paymentStatuses: some(...payments),
  semesters: some(1, 2),
  installmentsDue: some(1, 2),
  universityNames: some('EASTBROOK', 'Westlake', 'Elsewhere'),
  roles: some('student' as const, 'faculty' as const),
  contacts: some('person1@example.com', 'code-2', 'nobody@example.com'),
  unreadOf: fc.constantFrom(notificationIdAt(1), undefined),
})

type Kinds = Omit<Audience, 'include' | 'exclude'>

/** The contract, word by word. */
const isSelected = (person: IndexedPerson, audience: Kinds, unread: ReadonlySet<UserId>): boolean => {
  const matched: boolean[] = []
  const { universityNames = [], roles = [], contacts = [] } = audience
  if (audience.everyone) matched.push(person.role === 'student' || person.role === 'faculty')
  if (roles.length > 0) matched.push(roles.map(String).includes(person.role))
  const { programIds: programs = [], paymentStatuses = [], semesters = [], installmentsDue = [] } = audience
  const wanted: readonly (readonly unknown[])[] = [programs, paymentStatuses, semesters, installmentsDue]
  if (wanted.some((kind) => kind.length > 0)) {
    const enrolled = person.enrollments.map((one) => [
      one.programId,
      one.paymentStatus,
      one.semester,
      one.installmentDue,
    ])
    const isMet = (facts: readonly unknown[]): boolean =>
      wanted.every((kind, index) => kind.length === 0 || kind.includes(facts[index]))
    matched.push(enrolled.some(isMet))
  }
  if (universityNames.length > 0) {
    const name = person.profile?.university.name.toLowerCase()
    matched.push(universityNames.some((given) => given.toLowerCase() === name))
  }
  if (contacts.length > 0) {
    const { emailKey, codeKey } = person.profile ?? {}
    matched.push(contacts.some((contact) => contact === emailKey || contact === codeKey))
  }
  if (audience.unreadOf) matched.push(unread.has(person.userId))
  return person.role !== 'admin' && matched.length > 0 && !matched.includes(false)
}

describe('a rule', () => {
  it('selects whom the contract says, whatever kinds are combined', () => {
    const unread = new Set([userIdAt(1), userIdAt(3)])
    fc.assert(
      fc.property(population, audiences, (people, audience) => {
        const given = new Set(audience.contacts)
        const named = people.filter(
          ({ profile }) => given.has(`${profile?.emailKey}`) || given.has(`${profile?.codeKey}`),
        )
        const contacts = new Set(named.map(({ userId }) => userId))
        const names = new Set(audience.universityNames?.map((name) => name.toLowerCase()))
        const ofRule = new Set(universities.filter(({ key }) => names.has(key)))
        const isMet = createCondition(audience, { contacts, unread, universities: ofRule })
        expect(people.filter(isMet)).toEqual(people.filter((person) => isSelected(person, audience, unread)))
      }),
      { numRuns: 500 },
    )
  })
})
