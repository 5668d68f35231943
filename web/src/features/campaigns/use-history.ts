import { listRecentNotifications } from '@portal/contracts/notifications/http'
import type { InboxItem } from '@portal/contracts/notifications/notification'
import type { SentItem } from '@portal/contracts/notifications/sent-item'
import { defaultPageSize, type Pagination } from '@portal/contracts/shared/page'
import { useCallback, useEffect, useRef, useState } from 'react'
import { call, type Answer } from '../../lib/http.ts'
import { loadedData, useQueryClient, useRequestQuery } from '../../lib/query.ts'
import { onReconnect, useSocket } from '../../lib/socket.ts'
import { useToast } from '../../ui/toast/atoms.ts'
import { firstPage, isSameQuery, isUnfiltered, requestedFilter, type HistoryQuery } from './history-query.ts'
import { useReports, type Reports } from './use-reports.ts'

/** A page of campaigns, as the server returned it. */
export type CampaignPage = { readonly campaigns: readonly SentItem[]; readonly pagination: Pagination }

/**
 * The number of the newest reported campaign that page 1 lacks. The server numbers its campaigns, so a report about an old one
 * is not taken for a new one.
 */
export const missingCampaign = ({ campaigns }: CampaignPage, reports: Reports): number | undefined => {
  const newestShown = campaigns.reduce((max, { seq }) => Math.max(max, seq), 0)
  const newestReported = [...reports.values()].reduce((max, { seq = 0 }) => Math.max(max, seq), 0)
  return newestReported > newestShown ? newestReported : undefined
}

/** Whether an item of `/notifications/recent` is a campaign, which only admins get. */
export const isCampaign = (item: SentItem | InboxItem): item is SentItem => 'progress' in item

const campaignsKey = ['sends'] as const

/** What a reload requests: the displayed page, or the one that is being loaded. */
type Requested = { readonly query: HistoryQuery; readonly hasFailed: boolean }

type LoadedPage = CampaignPage & { readonly query: HistoryQuery }

/** A page of campaigns, displayed until another page has loaded. */
const useCampaignPage = (first: HistoryQuery) => {
  const client = useQueryClient()
  const toast = useToast()
  const [requested, setRequested] = useState<Requested>({ query: first, hasFailed: false })
  const latest = useRef(requested.query)
  const setLatest = useCallback((next: Requested) => {
    latest.current = next.query
    setRequested(next)
  }, [])

  const request = async (signal: AbortSignal): Promise<Answer<LoadedPage>> => {
    const { page, filter } = latest.current
    const answer = await call(listRecentNotifications, {
      query: { page, limit: defaultPageSize, ...requestedFilter(filter) },
      signal,
    })
    if (answer.success) {
      const { notifications, pagination } = answer.data
      const query = { page: pagination.page, filter }
      if (!signal.aborted) setLatest({ query, hasFailed: false })
      return { success: true, data: { campaigns: notifications.filter(isCampaign), pagination, query } }
    }
    if (!signal.aborted) {
      // The displayed page stays current, and a reconnect reloads it.
      const shown = loadedData<LoadedPage>(client, campaignsKey)
      setLatest({ query: shown?.query ?? latest.current, hasFailed: true })
      // Without a page, the panel says it.
      if (shown) toast.error('Failed to load notifications', { subject: 'history' })
    }
    return answer
  }
  const { state, isFetching, reload } = useRequestQuery({ key: campaignsKey, request, retriesOnline: 'every-load' })

  const show = useCallback(
    (next: HistoryQuery) => {
      setLatest({ query: next, hasFailed: false })
      void reload()
    },
    [setLatest, reload],
  )
  return { loaded: state.kind === 'loaded' ? state.data : undefined, requested, isFetching, show, reload }
}

/** Several new campaigns at once cause one reload. */
export const reloadDelayMs = 300
/** A long burst, such as the portal's own notices, which the page may not show, causes one reload in this time. */
const reloadEveryMs = 1_000

/** Reloads a page that lacks the campaign of this number. */
export const useReloadForMissing = (missing: number | undefined, reload: () => unknown): void => {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const reloadedAt = useRef(-reloadEveryMs)
  useEffect(() => {
    if (missing === undefined) {
      clearTimeout(timer.current)
      timer.current = undefined
      return
    }
    // A further campaign does not start the time again: a long burst would prevent the reload.
    if (timer.current !== undefined) return
    const nextMs = reloadedAt.current + reloadEveryMs - performance.now()
    timer.current = setTimeout(
      () => {
        timer.current = undefined
        reloadedAt.current = performance.now()
        void reload()
      },
      Math.max(reloadDelayMs, nextMs),
    )
  }, [missing, reload])
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      timer.current = undefined
    },
    [],
  )
}

export type History = {
  /** The displayed page; undefined before the first one has loaded. */
  readonly loaded: CampaignPage | undefined
  readonly reports: Reports
  /** Whether another page or filter than the displayed one is being loaded. */
  readonly isBusy: boolean
  readonly hasFailed: boolean
  /** Whether the displayed page shows all campaigns of admins, not only those that match a filter. */
  readonly isUnfiltered: boolean
}

/** The history of campaigns: the displayed page, updated by reports from the socket. */
export const useHistory = (first: HistoryQuery = firstPage) => {
  const { loaded, requested, isFetching, show, reload } = useCampaignPage(first)
  const reports = useReports()
  const socket = useSocket()
  useEffect(() => (socket ? onReconnect(socket, () => void reload()) : undefined), [socket, reload])

  const missing = loaded && requested.query.page === 1 ? missingCampaign(loaded, reports) : undefined
  useReloadForMissing(missing, reload)

  const isBusy = loaded ? isFetching && !isSameQuery(loaded.query, requested.query) : !requested.hasFailed
  const history: History = {
    loaded,
    reports,
    isBusy,
    hasFailed: requested.hasFailed,
    isUnfiltered: isUnfiltered((loaded?.query ?? requested.query).filter),
  }
  return { history, show, reload: useCallback(() => void reload(), [reload]) }
}
