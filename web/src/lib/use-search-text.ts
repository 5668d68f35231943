import { limits } from '@portal/contracts/shared/rules'
import { useEffect, useRef } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'
import { useTypedText } from './use-typed-text.ts'

/**
 * The text of a search field, the function that changes it, and the query to apply. The query is the parameter `name` of the
 * address, so that Back and a reload restore it. It follows the text after a pause in typing. A new query starts on the first
 * page: it removes the parameter `page`.
 */
export const useSearchText = (name = 'q') => {
  const [search, setSearch] = useSearchParams()
  const { pathname, state } = useLocation()
  const query = (search.get(name) ?? '').trim().slice(0, limits.shortTextChars)

  const shown = useRef({ pathname, address: pathname })
  useEffect(() => {
    shown.current = { pathname, address: window.location.pathname }
  }, [pathname])

  const [text, type] = useTypedText(query, (typed) => {
    // The page stays mounted while the files of the next one load. Changing the address would then return to this page.
    if (window.location.pathname !== shown.current.address) return
    setSearch(
      (current) => {
        const next = new URLSearchParams(current)
        next.delete('page')
        if (typed === '') next.delete(name)
        else next.set(name, typed)
        return next
      },
      { replace: true, state },
    )
  })
  return [text, type, query] as const
}
