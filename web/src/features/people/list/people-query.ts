import type { Role } from '@portal/contracts/auth/user'
import type { Enrollment } from '@portal/contracts/catalog/enrollment'
import {
  type AccountState,
  findPeople,
  peopleFilterSchema,
  type PeopleSort,
  peopleSortSchema,
} from '@portal/contracts/notifications/people'
import type { ProgramRecordId } from '@portal/contracts/shared/ids'
import { z } from 'zod'

/** What the list of users is filtered by. Conditions of one kind are alternatives. */
export type PeopleConditions = {
  readonly programId: readonly ProgramRecordId[]
  readonly paymentStatus: readonly Enrollment['paymentStatus'][]
  readonly universityName: readonly string[]
  readonly role: readonly Role[]
  readonly state: readonly AccountState[]
}

/** One page of the users who match a search and conditions. */
export type PeopleQuery = {
  readonly page: number
  readonly q: string
  readonly sort: PeopleSort
  readonly conditions: PeopleConditions
}

const usersPath = '/admin/dashboard/users'
const firstSort: PeopleSort = 'name'

/** The parameters of the page's address. */
const parameters = {
  programId: 'program',
  paymentStatus: 'payment',
  universityName: 'university',
  role: 'role',
  state: 'state',
} as const satisfies Readonly<Record<keyof PeopleConditions, string>>

const { q: searchSchema, programId, paymentStatus, universityName, role, state } = peopleFilterSchema.shape

/** Each value once. Invalid values are ignored. */
const valuesOf = <Value>(
  search: URLSearchParams,
  kind: keyof PeopleConditions,
  schema: z.ZodType<Value[] | undefined>,
): readonly Value[] =>
  [...new Set(search.getAll(parameters[kind]))].flatMap((given) => schema.safeParse(given).data ?? [])

/** Reads the query from the address of the page. */
export const peopleQueryOf = (search: URLSearchParams): PeopleQuery => ({
  page: findPeople.query.shape.page.safeParse(search.get('page') ?? undefined).data ?? 1,
  q: searchSchema.safeParse(search.get('q') ?? undefined).data ?? '',
  sort: peopleSortSchema.safeParse(search.get('sort')).data ?? firstSort,
  conditions: {
    programId: valuesOf(search, 'programId', programId),
    paymentStatus: valuesOf(search, 'paymentStatus', paymentStatus),
    universityName: valuesOf(search, 'universityName', universityName),
    role: valuesOf(search, 'role', role),
    state: valuesOf(search, 'state', state),
  },
})

export const peopleSearch = ({ page, q, sort, conditions }: PeopleQuery): URLSearchParams => {
  const search = new URLSearchParams(q === '' ? {} : { q })
  for (const id of conditions.programId) search.append(parameters.programId, id)
  for (const status of conditions.paymentStatus) search.append(parameters.paymentStatus, status)
  for (const name of conditions.universityName) search.append(parameters.universityName, name)
  for (const one of conditions.role) search.append(parameters.role, one)
  for (const one of conditions.state) search.append(parameters.state, one)
  if (sort !== firstSort) search.set('sort', sort)
  if (page > 1) search.set('page', String(page))
  return search
}

/** The query of the calls, without the page. */
export const filterOf = ({ q, sort, conditions }: PeopleQuery) => ({
  ...(q !== '' && { q }),
  programId: [...conditions.programId],
  paymentStatus: [...conditions.paymentStatus],
  universityName: [...conditions.universityName],
  role: [...conditions.role],
  state: [...conditions.state],
  sort,
})

const fromPeopleSchema = z.object({ people: z.string() })
/** The router state of a person's page that was opened from the list: the search of the list's address. */
export type FromPeople = z.infer<typeof fromPeopleSchema>

/** The list from which a person's page was opened. */
export const peopleBackOf = (routerState: unknown): { readonly to: string; readonly label: string } | undefined => {
  const from = fromPeopleSchema.safeParse(routerState)
  return from.success ? { to: `${usersPath}${from.data.people}`, label: 'users' } : undefined
}
