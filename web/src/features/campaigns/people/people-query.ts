import { audienceSchema } from '@portal/contracts/notifications/audience'
import { listPeople } from '@portal/contracts/notifications/http'
import { z } from 'zod'
import { emptyRule, type Rule } from '../audience/rule.ts'

/** One page of the users who match a search and a rule. */
type PeopleQuery = { readonly page: number; readonly q: string; readonly rule: Rule }

const usersPath = '/admin/dashboard/users'

/** Invalid values are ignored. */
const valuesOf = <Value>(search: URLSearchParams, name: string, schema: z.ZodType<Value[] | undefined>): Value[] => {
  const given = [...new Set(search.getAll(name))]
  return given.flatMap((value) => schema.safeParse([value]).data ?? [])
}

const { programIds, paymentStatuses, universityNames, roles } = audienceSchema.shape

/** Reads the query from the address of the page. */
export const peopleQueryOf = (search: URLSearchParams): PeopleQuery => {
  const page = Number(search.get('page') ?? '1')
  const q = listPeople.body.shape.q.safeParse(search.get('q') ?? '')
  return {
    page: listPeople.body.shape.page.safeParse(page).data ?? 1,
    q: q.data ?? '',
    rule: {
      ...emptyRule,
      programIds: valuesOf(search, 'program', programIds),
      paymentStatuses: valuesOf(search, 'payment', paymentStatuses),
      universityNames: valuesOf(search, 'university', universityNames),
      roles: valuesOf(search, 'role', roles),
    },
  }
}

export const peopleSearch = ({ page, q, rule }: PeopleQuery): URLSearchParams => {
  const search = new URLSearchParams(q === '' ? {} : { q })
  for (const id of rule.programIds) search.append('program', id)
  for (const status of rule.paymentStatuses) search.append('payment', status)
  for (const name of rule.universityNames) search.append('university', name)
  for (const role of rule.roles) search.append('role', role)
  if (page > 1) search.set('page', String(page))
  return search
}

const fromPeopleSchema = z.object({ people: z.string() })
/** The router state of a person's page that was opened from the list: the search of the list's address. */
export type FromPeople = z.infer<typeof fromPeopleSchema>

/** The list from which a person's page was opened. */
export const peopleBackOf = (routerState: unknown): { readonly to: string; readonly label: string } | undefined => {
  const from = fromPeopleSchema.safeParse(routerState)
  return from.success ? { to: `${usersPath}${from.data.people}`, label: 'users' } : undefined
}
