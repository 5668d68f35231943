import { listRecentNotifications } from '@portal/contracts/notifications/http'
import {
  campaignProgressSchema,
  type CampaignProgress,
  type InboxItem,
  type SentItem,
} from '@portal/contracts/notifications/notification'
import { socketEvents } from '@portal/contracts/notifications/socket'
import type { NotificationId } from '@portal/contracts/shared/ids'
import { defaultPageSize, type Pagination } from '@portal/contracts/shared/page'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { call, type Answer } from '../../lib/http.ts'
import { loadedData, useQueryClient, useRequestQuery } from '../../lib/query.ts'
import { onReconnect, useSocket, type PortalSocket } from '../../lib/socket.ts'
import { useToast } from '../../ui/toast/atoms.ts'
import { mergeProgress } from './progress.ts'

/** A page of campaigns, as the server returned it. */
export type CampaignPage = { readonly campaigns: readonly SentItem[]; readonly pagination: Pagination }

/** The newest report of each campaign, also of campaigns on other pages, because a report may arrive before its page. */
type Reports = ReadonlyMap<NotificationId, CampaignProgress>

export const noReports: Reports = new Map()

/** The oldest reports beyond this number are dropped. */
export const maxReports = 200

export const addReports = (known: Reports, newReports: readonly CampaignProgress[]): Reports => {
  const reports = new Map(known)
  for (const report of newReports) {
    const previous = reports.get(report.notificationId)
    reports.delete(report.notificationId)
    reports.set(report.notificationId, previous ? mergeProgress(previous, report) : report)
  }
  for (const id of reports.keys()) {
    if (reports.size <= maxReports) break
    reports.delete(id)
  }
  return reports
}

/** The newest known progress of a campaign. */
export const progressOf = (reports: Reports, send: SentItem): CampaignProgress => {
  const report = reports.get(send.id)
  return report ? mergeProgress(send.progress, report) : send.progress
}

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
const isCampaign = (item: SentItem | InboxItem): item is SentItem => 'progress' in item

/**
 * A large campaign causes hundreds of reports: they are merged and passed on once per frame. Returns a function that stops it.
 */
const collectReports = (socket: PortalSocket, onReports: (reports: readonly CampaignProgress[]) => void) => {
  const waiting = new Map<NotificationId, CampaignProgress>()
  let frame: number | undefined
  const flush = () => {
    frame = undefined
    onReports([...waiting.values()])
    waiting.clear()
  }
  const onProgress = (message: unknown) => {
    const report = campaignProgressSchema.safeParse(message)
    if (!report.success) {
      console.error('Ignoring an invalid progress message', report.error)
      return
    }
    const { notificationId } = report.data
    const previous = waiting.get(notificationId)
    waiting.set(notificationId, previous ? mergeProgress(previous, report.data) : report.data)
    frame ??= requestAnimationFrame(flush)
  }
  socket.on(socketEvents.campaignProgress, onProgress)
  return () => {
    socket.off(socketEvents.campaignProgress, onProgress)
    if (frame !== undefined) cancelAnimationFrame(frame)
  }
}

const reportsKey = ['send-reports'] as const

const useReports = (): Reports => {
  const client = useQueryClient()
  const socket = useSocket()
  useEffect(() => {
    if (!socket) return undefined
    return collectReports(socket, (newReports) =>
      client.setQueryData<Reports>(reportsKey, (known = noReports) => addReports(known, newReports)),
    )
  }, [client, socket])
  return useQuery(
    // Only the socket writes it.
    { queryKey: reportsKey, queryFn: () => noReports, initialData: noReports, enabled: false, gcTime: 0 },
    client,
  ).data
}

const campaignsKey = ['sends'] as const

/** The page that a reload requests: the displayed page, or the one that is being loaded. */
type RequestedPage = { readonly page: number; readonly hasFailed: boolean }

/** A page of campaigns, displayed until another page has loaded. */
const useCampaignPage = () => {
  const client = useQueryClient()
  const toast = useToast()
  const [requested, setRequested] = useState<RequestedPage>({ page: 1, hasFailed: false })
  const page = useRef(requested.page)
  const setRequestedPage = useCallback((next: RequestedPage) => {
    page.current = next.page
    setRequested(next)
  }, [])

  const request = async (signal: AbortSignal): Promise<Answer<CampaignPage>> => {
    const answer = await call(listRecentNotifications, {
      query: { page: page.current, limit: defaultPageSize },
      signal,
    })
    if (answer.success) {
      const { notifications, pagination } = answer.data
      if (!signal.aborted) setRequestedPage({ page: pagination.page, hasFailed: false })
      return { success: true, data: { campaigns: notifications.filter(isCampaign), pagination } }
    }
    if (!signal.aborted) {
      // The displayed page stays current, and a reconnect reloads it.
      setRequestedPage({
        page: loadedData<CampaignPage>(client, campaignsKey)?.pagination.page ?? page.current,
        hasFailed: true,
      })
      toast.error('Failed to load notifications')
    }
    return answer
  }
  const { state, isFetching, reload } = useRequestQuery({ key: campaignsKey, request, retriesOnline: 'every-load' })

  const show = useCallback(
    (next: number) => {
      setRequestedPage({ page: next, hasFailed: false })
      void reload()
    },
    [setRequestedPage, reload],
  )
  return { loaded: state.kind === 'loaded' ? state.data : undefined, requested, isFetching, show, reload }
}

/** A burst of new campaigns causes one reload. */
export const reloadDelayMs = 300

export type History = {
  /** The displayed page; undefined before the first one has loaded. */
  readonly loaded: CampaignPage | undefined
  readonly reports: Reports
  /** Whether another page than the displayed one is being loaded. */
  readonly isBusy: boolean
  readonly hasFailed: boolean
}

/** The history of campaigns: the displayed page, updated by reports from the socket. */
export const useHistory = () => {
  const { loaded, requested, isFetching, show, reload } = useCampaignPage()
  const reports = useReports()
  const socket = useSocket()
  useEffect(() => (socket ? onReconnect(socket, () => void reload()) : undefined), [socket, reload])

  const missing = loaded && requested.page === 1 ? missingCampaign(loaded, reports) : undefined
  useEffect(() => {
    if (missing === undefined) return undefined
    const timer = setTimeout(() => void reload(), reloadDelayMs)
    return () => clearTimeout(timer)
  }, [missing, reload])

  const isBusy = loaded ? isFetching && loaded.pagination.page !== requested.page : !requested.hasFailed
  const history: History = { loaded, reports, isBusy, hasFailed: requested.hasFailed }
  return { history, show, reload: useCallback(() => void reload(), [reload]) }
}
