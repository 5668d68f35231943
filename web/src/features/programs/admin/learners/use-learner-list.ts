import { type LearnerSort, listLearners } from '@portal/contracts/notifications/learners'
import type { ProgramRecordId } from '@portal/contracts/shared/ids'
import { useEffect, useEffectEvent } from 'react'
import { call } from '../../../../lib/http.ts'
import { useRequestQuery } from '../../../../lib/query.ts'
import { useAddressSearch } from '../../../../lib/use-address-search.ts'
import { filterOf, type LearnerConditions, learnerQueryOf, learnerSearch, learnersPath } from './learner-query.ts'
import { useLearnersChanged } from './use-learners-changed.ts'

const pageSize = 50

/** A page of a program's learners, with its search, filter and order in the address. Changes refresh it in place. */
export const useLearnerList = (programId: ProgramRecordId) => {
  const [search, setSearch] = useAddressSearch()
  const query = learnerQueryOf(search)
  const address = learnerSearch(query).toString()
  const { state, isPrevious, reload, refresh } = useRequestQuery({
    key: ['learners', programId, address],
    request: (signal) =>
      call(listLearners, {
        params: { id: programId },
        query: { ...filterOf(query), page: query.page, limit: pageSize },
        signal,
      }),
    keepsPrevious: true,
  })
  useLearnersChanged(programId, () => void refresh())

  // The learners of the last page may have left.
  const totalPages = state.kind === 'loaded' && !isPrevious ? state.data.pagination.totalPages : undefined
  const isPastEnd = totalPages !== undefined && totalPages > 0 && query.page > totalPages
  const showLast = useEffectEvent((page: number) => setSearch(learnerSearch({ ...query, page }), { replace: true }))
  useEffect(() => {
    if (isPastEnd) showLast(totalPages)
  }, [isPastEnd, totalPages])

  return {
    query,
    /** The address of the list, to return to it. */
    from: `${learnersPath(programId)}${address === '' ? '' : `?${address}`}`,
    state,
    /** Whether the rows of another page or filter are still displayed. */
    isBusy: isPrevious,
    reload: () => void reload(),
    refresh,
    filterBy: (conditions: LearnerConditions) =>
      setSearch(learnerSearch({ ...query, page: 1, conditions }), { replace: true }),
    sortBy: (sort: LearnerSort) => setSearch(learnerSearch({ ...query, page: 1, sort }), { replace: true }),
    showPage: (page: number) => setSearch(learnerSearch({ ...query, page }), {}),
    clear: () => setSearch(new URLSearchParams(), { replace: true }),
  }
}
export type LearnerList = ReturnType<typeof useLearnerList>
