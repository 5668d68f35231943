import type { AccountState, PeopleFilter, PeopleSort } from '@portal/contracts/notifications/people'
import { searchWords } from '@portal/contracts/shared/search-text'
import { forEachPerson } from '../audience/for-each-person.ts'
import type { IndexedPerson } from '../audience/indexed-person.ts'
import type { PeopleSnapshot } from '../audience/people-index.ts'

/** The profile of a user who is erased meanwhile disappears. */
type People = readonly IndexedPerson[]

export const accountStateOf = ({ isDeactivated }: IndexedPerson): AccountState =>
  isDeactivated ? 'deactivated' : 'active'

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

/** Few keys occur, so this takes a fraction of the time of a sort. Equal ones stay in order. */
const groupedBy = (people: People, keyOf: (person: IndexedPerson) => string): readonly People[] =>
  [...Map.groupBy(people, keyOf)].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group)

type Order = { readonly of: People; readonly arranged: (found: People) => People }

const orderOf = (sort: PeopleSort, { byName, byEmail, byRegistration }: PeopleSnapshot): Order => {
  const same = (found: People) => found
  const reversed = (found: People) => found.toReversed()
  const byRole = (found: People) => groupedBy(found, ({ role }) => role)
  const byUniversity = (found: People) => groupedBy(found, ({ profile }) => profile?.university.key ?? '')
  switch (sort) {
    case 'name':
      return { of: byName, arranged: same }
    case '-name':
      return { of: byName, arranged: reversed }
    case 'email':
      return { of: byEmail, arranged: same }
    case '-email':
      return { of: byEmail, arranged: reversed }
    case 'registered':
      return { of: byRegistration, arranged: same }
    case '-registered':
      return { of: byRegistration, arranged: reversed }
    case 'role':
      return { of: byName, arranged: (found) => byRole(found).flat() }
    case '-role':
      return { of: byName, arranged: (found) => byRole(found).toReversed().flat() }
    case 'university':
      return { of: byName, arranged: (found) => byUniversity(found).flat() }
    case '-university':
      return { of: byName, arranged: (found) => byUniversity(found).toReversed().flat() }
  }
}

const hasConditions = ({ q = '', role, universityName, programId, paymentStatus, state }: PeopleFilter): boolean =>
  q !== '' || [role, universityName, programId, paymentStatus, state].some((condition) => condition !== undefined)

/** Returns all users whom a filter selects, in its order. */
export const selectPeople = async (filter: PeopleFilter, snapshot: PeopleSnapshot): Promise<People> => {
  const { of, arranged } = orderOf(filter.sort, snapshot)
  if (!hasConditions(filter)) return arranged(of)
  const isSelected = conditionOf(filter, snapshot)
  const found: IndexedPerson[] = []
  await forEachPerson(of, (person) => {
    if (isSelected(person)) found.push(person)
  })
  return arranged(found)
}
