import { useEffect, useMemo, useRef } from 'react'
import { useAddressSearch } from '../../lib/use-address-search.ts'
import { firstPage, historyQueryOf, isSameQuery, type HistoryQuery, withHistoryQuery } from './history-query.ts'
import { useHistory } from './use-history.ts'

/** The history with its page and filter in the address, so that Back and a reload restore them. */
export const useHistoryInAddress = () => {
  const [search, setSearch] = useAddressSearch()
  const query = useMemo(() => historyQueryOf(search), [search])
  const { history, show, reload } = useHistory(query)
  const shown = useRef(query)
  // A link to the page, such as the one in the navigation, changes only the address.
  useEffect(() => {
    if (isSameQuery(shown.current, query)) return
    shown.current = query
    show(query)
  }, [query, show])

  const isMounted = useRef(true)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])

  const showQuery = (next: HistoryQuery) => {
    // A send may be answered on another page, which must keep its address.
    if (!isMounted.current) return
    shown.current = next
    // A filter changes with each word typed, which must not fill the browser's history.
    setSearch((current) => withHistoryQuery(current, next), { replace: true })
    show(next)
  }
  return {
    panel: { history, query, onQuery: showQuery, onRetry: reload },
    /** Shows the newest campaigns, of which a filter could hide some. */
    showNewest: () => showQuery(firstPage),
  }
}
