import type { Audience } from '@portal/contracts/notifications/audience'
import { listPeople } from '@portal/contracts/notifications/http'
import type { UserId } from '@portal/contracts/shared/ids'
import { useMemo, useState } from 'react'
import { call } from '../../../lib/http.ts'
import { useLatestAnswer } from '../../../lib/use-latest-answer.ts'
import { conditionsOf, type Rule } from './rule.ts'

const peoplePerPage = 50
const searchDelayMs = 150

type View = {
  readonly conditions: Audience
  /** The people chosen by hand when the view was opened: 'Only selected' must not drop a row that is unticked. */
  readonly include: Rule['include']
  readonly exclude: Rule['exclude']
  readonly query: string
  readonly onlySelected: boolean
  readonly page: number
}

/** The answer with the view that it belongs to, because it outlives a change of the view. */
const requestPeople = async (view: View, signal: AbortSignal) => {
  const { conditions, include, exclude, query, onlySelected, page } = view
  const audience = onlySelected ? { ...conditions, include: [...include], exclude: [...exclude] } : conditions
  const body = { audience, q: query, onlySelected, page, limit: peoplePerPage }
  const answer = await call(listPeople, { body, signal })
  return answer.success ? { ...answer, data: { ...answer.data, view } } : answer
}

const useConditions = (rule: Rule): Audience => {
  const { everyone, programIds, paymentStatuses, semesters, installmentsDue } = rule
  const { universityNames, roles, contactList, unreadOf } = rule
  return useMemo(() => {
    const ofEnrollments = { programIds, paymentStatuses, semesters, installmentsDue }
    return conditionsOf({ everyone, ...ofEnrollments, universityNames, roles, contactList, unreadOf })
  }, [everyone, programIds, paymentStatuses, semesters, installmentsDue, universityNames, roles, contactList, unreadOf])
}

/** Whether the conditions select a user. 'Only selected' answers for conditions and hand-picked people together. */
const matchesOf = ({ userId, isSelected }: { userId: UserId; isSelected: boolean }, view: View): boolean | undefined =>
  view.onlySelected && view.include.has(userId) ? undefined : isSelected

/** The people of one page, with search and filter on the server. Ticking a row needs no request. */
export const usePeople = (rule: Rule, startsOnlySelected: boolean) => {
  const conditions = useConditions(rule)
  const { include, exclude } = rule
  const [view, setView] = useState<View>({
    conditions,
    include,
    exclude,
    query: '',
    onlySelected: startsOnlySelected,
    page: 1,
  })
  const change = (part: Partial<View>) => setView({ ...view, page: 1, ...part, include, exclude })
  if (view.conditions !== conditions) change({ conditions })

  const { data, isStale, failure, retry } = useLatestAnswer(view, requestPeople, searchDelayMs)

  return {
    people: data?.people.map((person) => ({ ...person, matches: matchesOf(person, data.view) })),
    pagination: data?.pagination,
    isStale,
    failure,
    retry,
    query: view.query,
    /** The query that the shown people match. */
    shownQuery: data?.view.query,
    search: (query: string) => change({ query }),
    onlySelected: view.onlySelected,
    showOnlySelected: (onlySelected: boolean) => change({ onlySelected }),
    showPage: (page: number) => change({ page }),
  }
}

export type People = ReturnType<typeof usePeople>
