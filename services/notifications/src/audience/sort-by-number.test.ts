import { userIdAt } from '@portal/notifications/testing/samples'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { NamedPerson } from './people-orders.ts'
import { sortByNumber } from './sort-by-number.ts'

const personAt = (rank: number): NamedPerson => ({
  userId: userIdAt(rank),
  role: 'student',
  emailVerified: true,
  isDeactivated: false,
  registeredAtMs: 0,
  enrollments: [],
  profile: {
    fullName: '',
    personalEmail: '',
    studentCode: '',
    university: { name: '', key: '' },
    emailKey: '',
    codeKey: '',
    searchKey: '',
  },
  fingerprint: 0,
  isErased: false,
  rank,
  emailRank: rank,
  registrationRank: rank,
})

/** Few differ, or by any number of digits. */
const numbers = fc.array(
  fc.oneof(fc.constantFrom(0, 1, -1, 65_536), fc.integer({ min: -2e12, max: 2e12 }), fc.maxSafeInteger()),
)

it('people are sorted by any whole numbers, and by name where they are equal', () => {
  fc.assert(
    fc.property(numbers, fc.infiniteStream(fc.boolean()), (given, isAsked) => {
      const byName = given.map((_, rank) => personAt(rank))
      const numberOf = ({ rank }: NamedPerson): number => given[rank] ?? 0
      const asked = byName.filter(() => isAsked.next().value).toReversed()
      const sorted = sortByNumber(asked, asked.map(numberOf), byName)
      expect(sorted).toEqual(asked.toSorted((a, b) => numberOf(a) - numberOf(b) || a.rank - b.rank))
    }),
  )
})

it('a person who has left the index is left out', () => {
  const [left, stays] = [personAt(0), personAt(0)]
  expect(sortByNumber([left], [1], [stays])).toEqual([])
})
