import type { Enrollment } from '@portal/contracts/catalog/enrollment'
import { type LearnerSort, listLearners } from '@portal/contracts/notifications/learners'
import type { ProgramRecordId } from '@portal/contracts/shared/ids'
import { z } from 'zod'

/** What the learners of a program are filtered by. */
export type LearnerConditions = {
  readonly paymentStatus: Enrollment['paymentStatus'] | undefined
  /** The number of the semester. */
  readonly semester: number | undefined
}

/** One page of the learners who match a search and conditions. */
export type LearnerQuery = {
  readonly page: number
  readonly q: string
  readonly sort: LearnerSort
  readonly conditions: LearnerConditions
}

const firstSort: LearnerSort = 'name'

const { page: pageSchema, q: searchSchema, sort: sortSchema, paymentStatus, semester } = listLearners.query.shape

/** Reads the query from the address of the page. Invalid values are ignored. */
export const learnerQueryOf = (search: URLSearchParams): LearnerQuery => {
  const given = (name: string) => search.get(name) ?? undefined
  return {
    page: pageSchema.safeParse(given('page')).data ?? 1,
    q: searchSchema.safeParse(given('q')).data ?? '',
    sort: sortSchema.safeParse(given('sort')).data ?? firstSort,
    conditions: {
      paymentStatus: paymentStatus.safeParse(given('payment')).data,
      semester: semester.safeParse(given('semester')).data,
    },
  }
}

export const learnerSearch = ({ page, q, sort, conditions }: LearnerQuery): URLSearchParams => {
  const search = new URLSearchParams(q === '' ? {} : { q })
  if (conditions.paymentStatus !== undefined) search.set('payment', conditions.paymentStatus)
  if (conditions.semester !== undefined) search.set('semester', String(conditions.semester))
  if (sort !== firstSort) search.set('sort', sort)
  if (page > 1) search.set('page', String(page))
  return search
}

/** The query of the calls, without the page. */
export const filterOf = ({ q, sort, conditions }: LearnerQuery) => ({
  ...(q !== '' && { q }),
  paymentStatus: conditions.paymentStatus,
  semester: conditions.semester,
  sort,
})

export const learnersPath = (programId: ProgramRecordId): string => `/admin/programs/${programId}/learners`

const fromLearnersSchema = z.object({ learners: z.string().regex(/^\/admin\/programs\/[^/?]+\/learners(?:\?|$)/) })
/** The router state of a person's page that was opened from the list: the address of the list. */
export type FromLearners = z.infer<typeof fromLearnersSchema>

/** The list from which a person's page was opened. */
export const learnersBackOf = (routerState: unknown): { readonly to: string; readonly label: string } | undefined => {
  const from = fromLearnersSchema.safeParse(routerState)
  return from.success ? { to: from.data.learners, label: 'learners' } : undefined
}
