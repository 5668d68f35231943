import type { InboxItem } from '@portal/contracts/notifications/notification'
import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { useQueryClient } from '../../lib/query.ts'
import { keepPlace } from '../../ui/keep-place.ts'
import type { InboxView } from './apply-changes.ts'
import { readInbox, useInbox } from './inbox-cache.ts'
import { shownView } from './inbox.ts'
import { searchOf } from './use-inbox-place.ts'
import { showPlace } from './use-inbox.ts'

type Direction = 'newer' | 'older'

const isOpenable = ({ withdrawnAt }: InboxItem): boolean => withdrawnAt === undefined

/** The next notification of the page in a direction. */
const nextIn = ({ items }: InboxView, index: number, direction: Direction): InboxItem | undefined =>
  direction === 'older' ? items.slice(index + 1).find(isOpenable) : items.slice(0, index).findLast(isOpenable)

/**
 * The page after this one in a direction. Pages of unread notifications move up as they are read, so the next page would skip
 * some.
 */
const nextPage = (
  { pagination: { page, totalPages }, filter }: InboxView,
  direction: Direction,
): number | undefined => {
  const next = direction === 'older' ? page + 1 : page - 1
  return filter.filter === undefined && next >= 1 && next <= totalPages ? next : undefined
}

export type Neighbors = {
  readonly hasNewer: boolean
  readonly hasOlder: boolean
  readonly open: (direction: Direction) => void
}

/** Shows another page of the list. Undefined if it could not be loaded. */
const loadPage = async (client: QueryClient, { filter }: InboxView, page: number): Promise<InboxView | undefined> => {
  await showPlace(client, { page, filter })
  const view = shownView(readInbox(client))
  return view?.pagination.page === page ? view : undefined
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
  const [leaving, setLeaving] = useState({ id, isLeaving: false })
  if (leaving.id !== id) setLeaving({ id, isLeaving: false })

  const find = async (from: InboxView, direction: Direction): Promise<InboxItem | undefined> => {
    const index = from.items.findIndex(({ _id }) => _id === current.current)
    if (index === -1) return undefined
    const page = nextPage(from, direction)
    const found = nextIn(from, index, direction)
    if (found || page === undefined) return found
    setLeaving({ id, isLeaving: true })
    const items = (await loadPage(client, from, page))?.items.filter(isOpenable)
    return direction === 'older' ? items?.at(0) : items?.at(-1)
  }
  const open = async (direction: Direction): Promise<void> => {
    const from = shownView(readInbox(client))
    if (isLoading.current || !from) return
    isLoading.current = true
    const found = await find(from, direction)
    isLoading.current = false
    if (!found) return setLeaving({ id, isLeaving: false })
    current.current = found._id
    const { pagination, filter } = readInbox(client).view ?? from
    const search = searchOf({ page: pagination.page, filter })
    // Back leads to the list.
    await navigate(`/notification/${found._id}${search}`, { replace: true, state: keepPlace })
  }

  // Another page of the list replaces the one with this notification.
  if (leaving.id === id && leaving.isLeaving) return { hasNewer: false, hasOlder: false, open: () => undefined }
  const index = view?.items.findIndex(({ _id }) => _id === id) ?? -1
  if (!view || index === -1) return undefined
  const has = (direction: Direction) =>
    nextIn(view, index, direction) !== undefined || nextPage(view, direction) !== undefined
  return { hasNewer: has('newer'), hasOlder: has('older'), open: (direction) => void open(direction) }
}
