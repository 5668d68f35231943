import type { InboxItem } from '@portal/contracts/notifications/notification'
import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { useQueryClient } from '../../lib/query.ts'
import { keepPlace } from '../../ui/keep-place.ts'
import type { InboxView } from './apply-changes.ts'
import { readInbox, useInbox } from './inbox-cache.ts'
import { shownView } from './inbox.ts'
import { searchOf } from './use-inbox-place.ts'
import { hasPage, nextIn, searchPages, type Direction } from './search-pages.ts'
import { fetchPlace, showFetched } from './use-inbox.ts'

/** The search for the next notification beyond the page of the one with this id. */
type Search = {
  readonly id: string
  /** Another page of the list is about to replace the one with this notification. */
  readonly isLeaving: boolean
  /** The direction in which nothing was found. */
  readonly exhausted?: Direction
}

export type Neighbors = {
  readonly hasNewer: boolean
  readonly hasOlder: boolean
  readonly open: (direction: Direction) => void
}

/** The notifications before and after one in the list from which it was opened. Undefined if it was opened otherwise. */
export const useNeighbors = (id: string): Neighbors | undefined => {
  const client = useQueryClient()
  const view = useInbox(shownView)
  const navigate = useNavigate()
  // The notification that the next step starts from: keys can be faster than the page.
  const current = useRef(id)
  const isLoading = useRef(false)
  useEffect(() => {
    current.current = id
  }, [id])
  const [search, setSearch] = useState<Search>({ id, isLeaving: false })
  if (search.id !== id) setSearch({ id, isLeaving: false })

  /** Looks on other pages of the list, and shows the one with the notification. */
  const findElsewhere = async (from: InboxView, index: number, direction: Direction) => {
    setSearch({ id, isLeaving: true })
    let hasFailed = false
    const load = async (page: number) => {
      const fetched = await fetchPlace({ page, filter: from.filter })
      hasFailed ||= fetched === undefined
      return fetched
    }
    const found = await searchPages(from, index, direction, load)
    if (!found) {
      setSearch({ id, isLeaving: false, ...(!hasFailed && { exhausted: direction }) })
      return undefined
    }
    showFetched(client, found.page)
    return found.item
  }
  const find = async (from: InboxView, direction: Direction): Promise<InboxItem | undefined> => {
    const index = from.items.findIndex(({ _id }) => _id === current.current)
    if (index === -1) return undefined
    return (
      nextIn(from, index, direction) ?? (hasPage(from, direction) ? findElsewhere(from, index, direction) : undefined)
    )
  }
  const open = async (direction: Direction): Promise<void> => {
    const from = shownView(readInbox(client))
    if (isLoading.current || !from) return
    isLoading.current = true
    const found = await find(from, direction)
    isLoading.current = false
    if (!found) return
    current.current = found._id
    const { pagination, filter } = readInbox(client).view ?? from
    const place = searchOf({ page: pagination.page, filter })
    // Back leads to the list.
    await navigate(`/notification/${found._id}${place}`, { replace: true, state: keepPlace })
  }

  if (search.isLeaving) return { hasNewer: false, hasOlder: false, open: () => undefined }
  const index = view?.items.findIndex(({ _id }) => _id === id) ?? -1
  if (!view || index === -1) return undefined
  const has = (direction: Direction) =>
    nextIn(view, index, direction) !== undefined || (search.exhausted !== direction && hasPage(view, direction))
  return { hasNewer: has('newer'), hasOlder: has('older'), open: (direction) => void open(direction) }
}
