import type { PeopleFilter, PeopleSort } from '@portal/contracts/notifications/people'
import { searchWords } from '@portal/contracts/shared/search-text'
import { forEachPerson } from '../audience/for-each-person.ts'
import { accountStateOf, type IndexedPerson, type RankedPerson } from '../audience/indexed-person.ts'
import type { PeopleSnapshot } from '../audience/people-index.ts'
import { groupedBy } from '../audience/people-orders.ts'

/** The profile of a user who is erased meanwhile disappears. */
type People = readonly RankedPerson[]

/** Whether a filter selects a user. */
const conditionOf = (
  { q = '', role, universityName, programId, paymentStatus, state }: PeopleFilter,
  { currentUniversityName, universitiesNamed }: PeopleSnapshot,
): ((person: IndexedPerson) => boolean) => {
  const words = searchWords(q)
  const roles = role && new Set<string>(role)
  const states = state && new Set(state)
  const programs = programId && new Set(programId)
  const payments = paymentStatus && new Set(paymentStatus)
  const universities =
    universityName && universitiesNamed(universityName.map((name) => currentUniversityName({ universityName: name })))
  const isEnrolled = ({ enrollments }: IndexedPerson): boolean =>
    (programs === undefined && payments === undefined) ||
    enrollments.some((one) => (programs?.has(one.programId) ?? true) && (payments?.has(one.paymentStatus) ?? true))
  return (person) => {
    const { profile } = person
    return (
      profile !== undefined &&
      (roles?.has(person.role) ?? true) &&
      (states?.has(accountStateOf(person)) ?? true) &&
      (universities?.has(profile.university) ?? true) &&
      isEnrolled(person) &&
      words.every((word) => profile.searchKey.includes(word))
    )
  }
}

const keyOf = {
  role: ({ role }: RankedPerson) => role,
  university: ({ profile }: RankedPerson) => profile?.university.key ?? '',
} as const

const arrange = (found: People, sort: PeopleSort, { sorted }: PeopleSnapshot): People => {
  switch (sort) {
    case 'name':
    case 'email':
    case 'registered':
      return sorted(sort, found)
    case '-name':
      return sorted('name', found).toReversed()
    case '-email':
      return sorted('email', found).toReversed()
    case '-registered':
      return sorted('registered', found).toReversed()
    case 'role':
    case 'university':
      return sorted('name', ...groupedBy(found, keyOf[sort]))
    case '-role':
      return sorted('name', ...groupedBy(found, keyOf.role).toReversed())
    case '-university':
      return sorted('name', ...groupedBy(found, keyOf.university).toReversed())
  }
}

/** Returns all users whom a filter selects, in its order. */
export const selectPeople = async (filter: PeopleFilter, snapshot: PeopleSnapshot): Promise<People> => {
  const isSelected = conditionOf(filter, snapshot)
  const found: RankedPerson[] = []
  await forEachPerson(snapshot.all(), (person) => {
    if (isSelected(person)) found.push(person)
  })
  return arrange(found, filter.sort, snapshot)
}
