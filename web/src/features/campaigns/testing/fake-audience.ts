import type { Audience, Person } from '@portal/contracts/notifications/audience'
import { countAudience, listPeople } from '@portal/contracts/notifications/http'
import { findPeople, type ListedPerson } from '@portal/contracts/notifications/people'
import { paginationOf } from '@portal/contracts/shared/page'
import { programRecordIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import { ok, type FakeAnswer } from '../../../testing/fake-portal.ts'
import type { FakeServer } from '../../../testing/fake-server.ts'
import { normalizeText } from '@portal/contracts/shared/search-text'
import { matchesAllWords } from '../../../lib/search-text.ts'

export const userId = (n: number) => userIdSchema.parse(`01890000-0000-7000-8000-${String(n).padStart(12, '0')}`)

export const programId = (n: number) =>
  programRecordIdSchema.parse(`01890000-0000-7000-9000-${String(n).padStart(12, '0')}`)

export const aPerson = (n: number, fullName: string, facts: Partial<Person> = {}): Person => ({
  userId: userId(n),
  fullName,
  personalEmail: `${fullName.toLowerCase().replaceAll(' ', '.')}@example.com`,
  role: 'student',
  universityName: 'Hill University',
  studentCode: `MIN-2026-${String(n).padStart(8, '0')}`,
  emailVerified: true,
  ...facts,
})

type World = {
  readonly people: readonly Person[]
  /** Those of them whose accounts are deactivated. */
  readonly deactivated?: readonly Person[]
  /** Who is enrolled in which program. */
  readonly programs?: readonly { readonly name: string; readonly members: readonly Person[] }[]
}

const isIn = <Item>(list: readonly Item[] | undefined, item: Item): boolean =>
  list === undefined || list.length === 0 || list.includes(item)

/** The rules of the server, without payments, semesters and reads. */
const selector = ({ people, programs = [] }: World, audience: Audience) => {
  const { everyone, programIds, paymentStatuses, semesters, installmentsDue } = audience
  const { universityNames, roles, contacts, unreadOf, include, exclude } = audience
  const contactsOf = ({ personalEmail, studentCode }: Person) => [personalEmail, studentCode.toLowerCase()]
  const wanted = contacts?.map((contact) => contact.toLowerCase())
  const ofEnrollments = [programIds, paymentStatuses, semesters, installmentsDue]
  const kinds = [...ofEnrollments, universityNames, roles, contacts].some((kind) => kind && kind.length > 0)
  const matches = (person: Person): boolean => {
    if (everyone !== true && unreadOf === undefined && !kinds) return false
    const enrolled = programs.some(
      ({ members }, n) => programIds?.includes(programId(n + 1)) === true && members.includes(person),
    )
    return (
      (programIds === undefined || programIds.length === 0 || enrolled) &&
      isIn(universityNames, person.universityName) &&
      isIn<string>(roles, person.role) &&
      (wanted === undefined || contactsOf(person).some((contact) => wanted.includes(contact)))
    )
  }
  const isSelected = (person: Person): boolean =>
    (matches(person) || include?.includes(person.userId) === true) && exclude?.includes(person.userId) !== true
  const known = new Set(people.flatMap(contactsOf))
  return { isSelected, unknown: contacts?.filter((contact) => !known.has(contact.toLowerCase())) ?? [] }
}

const answersFor = (world: World) => ({
  count: (body: unknown): FakeAnswer => {
    const { audience } = countAudience.body.parse(body)
    const { isSelected, unknown } = selector(world, audience)
    const count = world.people.filter(isSelected).length
    const duplicates = (audience.contacts?.length ?? 0) - new Set(audience.contacts).size
    return ok({ count, unknown, duplicates, sentence: `Selected: ${count} ${count === 1 ? 'person' : 'people'}` })
  },
  people: (body: unknown): FakeAnswer => {
    const { audience, q, onlySelected, page, limit } = listPeople.body.parse(body)
    const { isSelected } = selector(world, audience)
    const found = world.people.filter(
      (person) =>
        matchesAllWords(normalizeText(Object.values(person).join(' ')), q) && (!onlySelected || isSelected(person)),
    )
    const shown = found.slice((page - 1) * limit, page * limit)
    return ok({
      people: shown.map((person) => ({ ...person, isSelected: isSelected(person) })),
      pagination: paginationOf({ page, limit }, found.length),
    })
  },
  listed: (given: URLSearchParams): FakeAnswer => {
    const { people, deactivated = [], programs = [] } = world
    const parameters = [...new Set(given.keys())].map((name) => [name, given.getAll(name)] as const)
    const single = new Set(['q', 'sort', 'page', 'limit'])
    const query = findPeople.query.parse(
      Object.fromEntries(parameters.map(([name, values]) => [name, single.has(name) ? values[0] : values])),
    )
    const { q = '', role, universityName, programId: programIds, state, sort, page, limit } = query
    const listed = ({ userId: _id, ...person }: Person, n: number): ListedPerson => ({
      _id,
      ...person,
      state: deactivated.some((one) => one.userId === _id) ? 'deactivated' : 'active',
      registeredAt: new Date(Date.UTC(2026, 0, n + 1)).toISOString(),
    })
    const isEnrolled = ({ _id }: ListedPerson) =>
      programs.some(
        ({ members }, n) => programIds?.includes(programId(n + 1)) && members.some((one) => one.userId === _id),
      )
    const found = people
      .map(listed)
      .filter(
        (person) =>
          matchesAllWords(normalizeText(`${person.fullName} ${person.personalEmail} ${person.studentCode}`), q) &&
          isIn<string>(role, person.role) &&
          isIn(universityName, person.universityName) &&
          isIn(state, person.state) &&
          (programIds === undefined || isEnrolled(person)),
      )
    const sorted = sort.startsWith('-') ? found.toReversed() : found
    return ok({
      people: sorted.slice((page - 1) * limit, page * limit),
      pagination: paginationOf({ page, limit }, found.length),
    })
  },
  choices: (): FakeAnswer => {
    const { people, programs = [] } = world
    const names = [...new Set(people.map(({ universityName }) => universityName))]
    return ok({
      everyone: people.length,
      programs: programs.map(({ name, members }, n) => ({ programId: programId(n + 1), name, count: members.length })),
      paymentStatuses: [
        { paymentStatus: 'Pending', count: people.length },
        { paymentStatus: 'Completed', count: 0 },
      ],
      semesters: [
        { semester: 1, count: people.length },
        { semester: 2, count: 1 },
      ],
      installmentsDue: [{ installment: 2, count: 1 }],
      universities: names.map((name) => ({
        name,
        count: people.filter(({ universityName }) => universityName === name).length,
      })),
      roles: (['student', 'faculty'] as const).map((role) => ({
        role,
        count: people.filter((person) => person.role === role).length,
      })),
    })
  },
})

/** Answers the routes of audiences, and of the list of users, for a few people. */
export const serveAudience = (server: FakeServer, world: World): void => {
  const { count, people, listed, choices } = answersFor(world)
  server.on('POST /notifications/audience', ({ body }) => count(body))
  server.on('POST /notifications/audience/people', ({ body }) => people(body))
  server.on('GET /admin/people', ({ query }) => listed(query))
  server.on('GET /notifications/audience/choices', choices)
}
