import { listNotifications } from '@portal/contracts/notifications/inbox-http'
import { isFiltered, type InboxFilter } from '@portal/contracts/notifications/inbox-filter'
import { defaultPageSize } from '@portal/contracts/shared/page'
import type { QueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import type { z } from 'zod'
import { call, type Answer } from '../../lib/http.ts'
import { loadedData, useQueryClient, useRequestQuery, useSlicedLoad, type LoadState } from '../../lib/query.ts'
import type { FetchedPage, InboxView } from './apply-changes.ts'
import { filterKey, noFilter } from './inbox-filter.ts'
import { readInbox, updateInbox, useInbox } from './inbox-cache.ts'
import { releaseHeld, showPage, shownView, type InboxHead, type PageOutcome } from './inbox.ts'
import { useKeptInbox } from './use-kept-inbox.ts'

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

type Fetched = FetchedPage & InboxHead

type ListAnswer = z.output<typeof listNotifications.response>

const fetchedOf = ({ filter }: InboxPlace, answer: ListAnswer): Fetched => {
  const { pagination, notifications: items, epoch, seq, unread } = answer
  return { pagination, filter, items, epoch, seq, unread }
}

const requestPlace = async (place: InboxPlace, signal?: AbortSignal): Promise<Answer<Fetched>> => {
  const answer = await call(listNotifications, { query: queryOf(place), ...(signal && { signal }) })
  if (!answer.success) return { ...answer, message: answer.message || 'Failed to fetch notifications' }
  return { success: true, data: fetchedOf(place, answer.data) }
}

const isStart = ({ page, filter }: InboxPlace): boolean => page === 1 && !isFiltered(filter)

/** Another page of the inbox, which is not shown yet. Undefined after a failure. */
export const fetchPlace = async (place: InboxPlace): Promise<Fetched | undefined> => {
  const answer = await requestPlace(place)
  return answer.success ? answer.data : undefined
}

export const showFetched = (client: QueryClient, page: Fetched): PageOutcome => {
  const { inbox, outcome } = showPage(readInbox(client), page)
  updateInbox(client, () => inbox)
  return outcome
}

/** Loads a page into the inbox. */
const loadPage = async (
  client: QueryClient,
  place: InboxPlace,
  agreeInMs: number,
  signal: AbortSignal,
): Promise<Answer<PageLoad>> => {
  for (let left = maxPageLoads; ; left--) {
    const answer = await requestPlace(place, signal)
    if (!answer.success) return answer
    const outcome = showFetched(client, answer.data)
    if (outcome !== 'missed' || left === 1)
      return { success: true, data: { epochRetryMs: outcome === 'other-epoch' ? agreeInMs : null } }
  }
}

const isOfPlace = ({ pagination, filter }: InboxView, place: InboxPlace): boolean =>
  pagination.page === place.page && filterKey(filter) === filterKey(place.filter)

type InboxPage = {
  readonly state: LoadState<InboxView>
  /** When a kept view was up to date that the server has not confirmed; ms. Null for a view from the server. */
  readonly keptAt: number | null
  /** The view is of another filter, until the one of this place has loaded. */
  readonly isPrevious: boolean
  readonly reload: () => void
}

const useCurrentPage = (page: number, filter: InboxFilter): InboxPage => {
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

  const isShown = view !== null && isOfPlace(view, { page, filter })
  const kept = useKeptInbox(isStart({ page, filter }) && !isShown ? state : null, reload)

  const loaded = (data: InboxView): InboxPage => ({
    state: { kind: 'loaded', data },
    keptAt: null,
    isPrevious: false,
    reload,
  })
  // A displayed page stays while a reload fails: the feed still updates it.
  if (isShown) return loaded(view)
  if (kept.view) return { ...loaded(kept.view), keptAt: kept.at }
  if (state.kind === 'failed' && !kept.isReading) return { state, keptAt: null, isPrevious: false, reload }
  // Typing must not replace the list by a skeleton after each pause.
  if (view && view.pagination.page === page) return { ...loaded(view), isPrevious: true }
  return { state: { kind: 'loading' }, keptAt: null, isPrevious: false, reload }
}

/** A page of the inbox: loaded on mount and on every reset of the feed, and kept up to date by the feed. */
export const useInboxPage = (page: number, filter: InboxFilter = noFilter): InboxPage => {
  const current = useCurrentPage(page, filter)
  return { ...current, state: useSlicedLoad(current.state) }
}

/** Shows the arrivals that were held back. */
export const useReleaseHeld = () => {
  const client = useQueryClient()
  return useCallback(() => updateInbox(client, releaseHeld), [client])
}

/** px. Closer to the top, the user counts as not having scrolled. */
const topPx = 24

/** Holds back arrivals while the user of the list has scrolled, and shows them on return to the top. */
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
