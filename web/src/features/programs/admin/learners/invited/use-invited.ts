import { listLearnerInvitations } from '@portal/contracts/catalog/learner-invitations'
import type { ProgramRecordId } from '@portal/contracts/shared/ids'
import { useEffect, useEffectEvent } from 'react'
import { call } from '../../../../../lib/http.ts'
import { useRequestQuery } from '../../../../../lib/query.ts'
import { useAddressSearch } from '../../../../../lib/use-address-search.ts'
import { useLearnersChanged } from '../use-learners-changed.ts'

const pageSize = 50

/** In the address of the list of learners: the page of those who are invited, which are shown instead. */
export const invitedParam = 'invited'

/** A page of those who are invited to a program. Changes refresh it in place. */
export const useInvited = (programId: ProgramRecordId) => {
  const [search, setSearch] = useAddressSearch()
  const given = search.get(invitedParam)
  const page = listLearnerInvitations.query.shape.page.safeParse(given ?? undefined).data ?? 1
  const { state, isPrevious, reload, refresh } = useRequestQuery({
    key: ['learner-invitations', programId, page],
    request: (signal) =>
      call(listLearnerInvitations, { params: { id: programId }, query: { page, limit: pageSize }, signal }),
    keepsPrevious: true,
  })
  useLearnersChanged(programId, () => void refresh())

  const showPage = (next: number, options: { readonly replace?: boolean } = {}) =>
    setSearch(new URLSearchParams({ [invitedParam]: String(next) }), options)
  // Those of the last page may have registered.
  const totalPages = state.kind === 'loaded' && !isPrevious ? state.data.pagination.totalPages : undefined
  const isPastEnd = totalPages !== undefined && totalPages > 0 && page > totalPages
  const showLast = useEffectEvent((last: number) => showPage(last, { replace: true }))
  useEffect(() => {
    if (isPastEnd) showLast(totalPages)
  }, [isPastEnd, totalPages])

  return {
    isShown: given !== null,
    state,
    /** Undefined while it loads, and after a failure. */
    total: state.kind === 'loaded' ? state.data.pagination.total : undefined,
    /** Whether the rows of another page are still displayed. */
    isBusy: isPrevious,
    reload: () => void reload(),
    refresh,
    showPage,
  }
}
export type Invited = ReturnType<typeof useInvited>
