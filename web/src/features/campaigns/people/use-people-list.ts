import { listPeople } from '@portal/contracts/notifications/http'
import { call } from '../../../lib/http.ts'
import { useRequestQuery } from '../../../lib/query.ts'
import { useAddressSearch } from '../../../lib/use-address-search.ts'
import { audienceOf, hasConditions, type Rule } from '../audience/rule.ts'
import { peopleQueryOf, peopleSearch } from './people-query.ts'

const pageSize = 50

/** A page of all users, with its search and its filter in the address. */
export const usePeopleList = () => {
  const [search, setSearch] = useAddressSearch()
  const query = peopleQueryOf(search)
  const { page, q, rule } = query
  const address = peopleSearch(query).toString()
  const { state, isPrevious, reload } = useRequestQuery({
    key: ['people', address],
    request: (signal) => {
      const body = { audience: audienceOf(rule), q, onlySelected: hasConditions(rule), page, limit: pageSize }
      return call(listPeople, { body, signal })
    },
    keepsPrevious: true,
  })
  return {
    rule,
    /** The search of the address, to return to this list. */
    address: address === '' ? '' : `?${address}`,
    state,
    /** Whether the rows of another page or filter are still displayed. */
    isBusy: isPrevious,
    reload: () => void reload(),
    filterBy: (next: Rule) => setSearch(peopleSearch({ ...query, page: 1, rule: next }), { replace: true }),
    showPage: (next: number) => setSearch(peopleSearch({ ...query, page: next }), {}),
    clear: () => setSearch(new URLSearchParams(), { replace: true }),
  }
}
export type PeopleList = ReturnType<typeof usePeopleList>
