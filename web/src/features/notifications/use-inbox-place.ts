import { inboxFilterSchema, type InboxFilter } from '@portal/contracts/notifications/inbox-filter'
import type { NotificationType } from '@portal/contracts/notifications/notification'
import { limits } from '@portal/contracts/shared/rules'
import { useMemo } from 'react'
import { useAddressSearch } from '../../lib/use-address-search.ts'
import type { InboxPlace } from './use-inbox.ts'

/** The page number of `?page=`, from 1. An invalid number is read as 1. */
const pageOf = (search: URLSearchParams): number => {
  const requested = Number(search.get('page') ?? '1')
  return Number.isSafeInteger(requested) && requested >= 1 ? requested : 1
}

/** An invalid filter selects everything: the address may be of another release. */
const filterOf = (search: URLSearchParams): InboxFilter => {
  const [filter, type, q] = [search.get('filter'), search.get('type'), search.get('q')]
  const parsed = inboxFilterSchema.safeParse({
    ...(filter !== null && { filter }),
    ...(type !== null && { type }),
    ...(q !== null && { q: q.trim().slice(0, limits.inboxQueryChars) }),
  })
  return parsed.success ? parsed.data : {}
}

/** The query of a place, as its address has it. */
export const searchOf = ({ page, filter: { filter, type = [], q = '' } }: InboxPlace): string => {
  const search = new URLSearchParams()
  if (filter) search.set('filter', filter)
  if (type.length > 0) search.set('type', type.join(','))
  if (q) search.set('q', q)
  if (page > 1) search.set('page', String(page))
  const text = search.toString()
  return text === '' ? '' : `?${text}`
}

/** The page and the filter of the list, kept in the address: also in that of a notification that was opened from it. */
export const useInboxPlace = () => {
  const [search, setSearch] = useAddressSearch()
  const address = search.toString()
  const filter = useMemo(() => filterOf(new URLSearchParams(address)), [address])
  const change = (edit: (next: URLSearchParams) => void, replace: boolean) =>
    setSearch(
      (current) => {
        const next = new URLSearchParams(current)
        edit(next)
        return next
      },
      { replace },
    )
  const setFilter = (name: 'filter' | 'type' | 'q', value: string) =>
    change((next) => {
      next.delete('page')
      if (value === '') next.delete(name)
      else next.set(name, value)
    }, true)
  const page = pageOf(search)
  return {
    page,
    filter,
    /** The query of the place, for the address of a notification or of the list. */
    search: searchOf({ page, filter }),
    goTo: (to: number) =>
      change((next) => {
        if (to === 1) next.delete('page')
        else next.set('page', String(to))
      }, false),
    showUnread: (isOn: boolean) => setFilter('filter', isOn ? 'unread' : ''),
    toggleType: (type: NotificationType) => {
      const { type: chosen = [] } = filter
      setFilter('type', (chosen.includes(type) ? chosen.filter((one) => one !== type) : [...chosen, type]).join(','))
    },
    clearSearch: () => setFilter('q', ''),
    clear: () => setSearch(new URLSearchParams(), { replace: true }),
  }
}
export type InboxPlaceControls = ReturnType<typeof useInboxPlace>
