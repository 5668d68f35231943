import { findPeople, type PeopleSort } from '@portal/contracts/notifications/people'
import { call } from '../../../lib/http.ts'
import { useRequestQuery } from '../../../lib/query.ts'
import { useAddressSearch } from '../../../lib/use-address-search.ts'
import { filterOf, type PeopleConditions, peopleQueryOf, peopleSearch } from './people-query.ts'

const pageSize = 50

/** A page of all users, with its search, filter and order in the address. */
export const usePeopleList = () => {
  const [search, setSearch] = useAddressSearch()
  const query = peopleQueryOf(search)
  const address = peopleSearch(query).toString()
  const { state, isPrevious, reload } = useRequestQuery({
    key: ['people', address],
    request: (signal) => call(findPeople, { query: { ...filterOf(query), page: query.page, limit: pageSize }, signal }),
    keepsPrevious: true,
  })
  return {
    query,
    /** The search of the address, to return to this list. */
    address: address === '' ? '' : `?${address}`,
    state,
    /** Whether the rows of another page or filter are still displayed. */
    isBusy: isPrevious,
    reload: () => void reload(),
    filterBy: (conditions: PeopleConditions) =>
      setSearch(peopleSearch({ ...query, page: 1, conditions }), { replace: true }),
    sortBy: (sort: PeopleSort) => setSearch(peopleSearch({ ...query, page: 1, sort }), { replace: true }),
    showPage: (page: number) => setSearch(peopleSearch({ ...query, page }), {}),
    clear: () => setSearch(new URLSearchParams(), { replace: true }),
  }
}
export type PeopleList = ReturnType<typeof usePeopleList>
