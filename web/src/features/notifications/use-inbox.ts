import { listNotifications, readNotification } from '@portal/contracts/notifications/http'
import type { InboxFilter } from '@portal/contracts/notifications/inbox-filter'
import type { InboxItem } from '@portal/contracts/notifications/notification'
import type { NotificationId } from '@portal/contracts/shared/ids'
import { defaultPageSize } from '@portal/contracts/shared/page'
import type { QueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { call, type Answer, type Failure } from '../../lib/http.ts'
import { loadedData, useQueryClient, useRequestQuery, type LoadState } from '../../lib/query.ts'
import { useToast } from '../../ui/toast/atoms.ts'
import type { InboxView } from './apply-changes.ts'
import { filterKey, noFilter } from './inbox-filter.ts'
import { readInbox, updateInbox, useInbox } from './inbox-cache.ts'
import { expectRead, releaseHeld, settleRead, showPage, shownView } from './inbox.ts'

const pagesKey = ['inbox-page'] as const

/** Reloads the displayed page and resets its query state. */
export const reloadPages = (client: QueryClient): void => void client.resetQueries({ queryKey: pagesKey })

/** How often a page is requested if changes keep overtaking it. */
const maxPageLoads = 3
/** Delays of the reloads until a page has the epoch of the feed. */
const firstEpochRetryMs = 1_000
const longestEpochRetryMs = 15_000

const queryOf = ({ page, filter: { filter, type = [], q = '' } }: InboxPlace) => ({
  page,
  limit: defaultPageSize,
  ...(filter && { filter }),
  ...(type.length > 0 && { type: [...type] }),
  ...(q !== '' && { q }),
})

type PageLoad = { readonly epochRetryMs: number | null }

/** A page of the inbox, or of what a filter selects. */
export type InboxPlace = { readonly page: number; readonly filter: InboxFilter }

/** Loads a page into the inbox. */
const loadPage = async (
  client: QueryClient,
  { page, filter }: InboxPlace,
  agreeInMs: number,
  signal?: AbortSignal,
): Promise<Answer<PageLoad>> => {
  for (let left = maxPageLoads; ; left--) {
    const answer = await call(listNotifications, { query: queryOf({ page, filter }), ...(signal && { signal }) })
    if (!answer.success) return { ...answer, message: answer.message || 'Failed to fetch notifications' }
    const { pagination, notifications: items, epoch, seq, unread } = answer.data
    const { inbox, outcome } = showPage(readInbox(client), { pagination, filter, items, epoch, seq, unread })
    updateInbox(client, () => inbox)
    if (outcome !== 'missed' || left === 1)
      return { success: true, data: { epochRetryMs: outcome === 'other-epoch' ? agreeInMs : null } }
  }
}

/** Shows another page of the inbox, for example that of the next notification. A failure leaves the present one. */
export const showPlace = async (client: QueryClient, place: InboxPlace): Promise<void> => {
  await loadPage(client, place, firstEpochRetryMs)
}

const isOfPlace = ({ pagination, filter }: InboxView, place: InboxPlace): boolean =>
  pagination.page === place.page && filterKey(filter) === filterKey(place.filter)

type InboxPage = {
  readonly state: LoadState<InboxView>
  /** The view is of another filter, until the one of this place has loaded. */
  readonly isPrevious: boolean
  readonly reload: () => void
}

/** A page of the inbox: loaded on mount and on every reset of the feed, and kept up to date by the feed. */
export const useInboxPage = (page: number, filter: InboxFilter = noFilter): InboxPage => {
  const client = useQueryClient()
  const view = useInbox(shownView)
  const key = [...pagesKey, page, filterKey(filter)]
  const { state, reload } = useRequestQuery<PageLoad>({
    key,
    request: (signal) => {
      const before = loadedData<PageLoad>(client, key)?.epochRetryMs ?? null
      const agreeInMs = before === null ? firstEpochRetryMs : Math.min(2 * before, longestEpochRetryMs)
      return loadPage(client, { page, filter }, agreeInMs, signal)
    },
    retriesOnline: 'every-load',
  })

  const load = state.kind === 'loaded' ? state.data : null
  useEffect(() => {
    if (load === null || load.epochRetryMs === null) return undefined
    const timer = setTimeout(() => void reload(), load.epochRetryMs)
    return () => clearTimeout(timer)
  }, [load, reload])

  // A displayed page stays while a reload fails: the feed still updates it.
  if (view && isOfPlace(view, { page, filter }))
    return { state: { kind: 'loaded', data: view }, isPrevious: false, reload }
  if (state.kind === 'failed') return { state, isPrevious: false, reload }
  // Typing must not replace the list by a skeleton after each pause.
  if (view && view.pagination.page === page) return { state: { kind: 'loaded', data: view }, isPrevious: true, reload }
  return { state: { kind: 'loading' }, isPrevious: false, reload }
}

/** Marks a notification as read, optimistically. Returns the failure, or null. */
const markReadIn = async (client: QueryClient, id: NotificationId): Promise<Failure | null> => {
  if (readInbox(client).optimistic.ids.has(id)) return null
  updateInbox(client, (inbox) => expectRead(inbox, id))
  const answer = await call(readNotification, { params: { id } })
  updateInbox(client, (inbox) => settleRead(inbox, id, answer.success ? answer.data : null))
  return answer.success ? null : answer
}

/** Marks an unread notification as read. Shows the message of a failure. */
export const useMarkRead = () => {
  const client = useQueryClient()
  const toast = useToast()
  return useCallback(
    async (item: InboxItem) => {
      const failure = item.isRead ? null : await markReadIn(client, item._id)
      // It was withdrawn meanwhile, which the feed shows.
      if (failure && failure.code !== 'not-found') toast.error(failure.message)
    },
    [client, toast],
  )
}

/** Shows the arrivals that were held back. */
export const useReleaseHeld = () => {
  const client = useQueryClient()
  return useCallback(() => updateInbox(client, releaseHeld), [client])
}

/** px. Closer to the top, the user counts as not having scrolled. */
const topPx = 24

/** For the page with the list: holds back arrivals while the user has scrolled, and shows them on return to the top. */
export const useOpenList = () => {
  const client = useQueryClient()
  useEffect(() => {
    updateInbox(client, (inbox) => ({ ...inbox, isListOpen: true }))
    const hold = (isHolding: boolean) =>
      updateInbox(client, (inbox) => (inbox.isHolding === isHolding ? inbox : { ...inbox, isHolding }))
    const onScroll = () => {
      const isHolding = window.scrollY > topPx
      hold(isHolding)
      if (!isHolding) updateInbox(client, releaseHeld)
    }
    onScroll()
    window.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      window.removeEventListener('scroll', onScroll)
      hold(false)
      updateInbox(client, (inbox) => ({ ...inbox, isListOpen: false }))
    }
  }, [client])
}
