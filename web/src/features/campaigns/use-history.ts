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

/** A page of the sends, as the server answered it. */
export type CampaignPage = { readonly campaigns: readonly SentItem[]; readonly pagination: Pagination }

/** The newest report of each send; also of sends on other pages, because a report may arrive before the page that holds it. */
type Reports = ReadonlyMap<NotificationId, CampaignProgress>

export const noReports: Reports = new Map()

/** The oldest reports beyond this number are dropped. */
export const maxReports = 200

export const addReports = (known: Reports, news: readonly CampaignProgress[]): Reports => {
  const reports = new Map(known)
  for (const report of news) {
    const before = reports.get(report.notificationId)
    reports.delete(report.notificationId)
    reports.set(report.notificationId, before ? mergeProgress(before, report) : report)
  }
  for (const id of reports.keys()) {
    if (reports.size <= maxReports) break
    reports.delete(id)
  }
  return reports
}

/** The newest known progress of a send. */
export const progressOf = (reports: Reports, send: SentItem): CampaignProgress => {
  const report = reports.get(send.id)
  return report ? mergeProgress(send.progress, report) : send.progress
}

/**
 * The number of the newest reported send that page 1 lacks. The server numbers its sends, so a report about an old one (someone
 * has read it) does not look like a new one.
 */
export const missingCampaign = ({ campaigns }: CampaignPage, reports: Reports): number | undefined => {
  const newestShown = campaigns.reduce((max, { seq }) => Math.max(max, seq), 0)
  const newestReported = [...reports.values()].reduce((max, { seq = 0 }) => Math.max(max, seq), 0)
  return newestReported > newestShown ? newestReported : undefined
}

/** The items with which `/notifications/recent` answers an admin. */
const isCampaign = (item: SentItem | InboxItem): item is SentItem => 'progress' in item

/** Reports come by the hundred during a large send: they are joined and passed on once a frame. Returns what stops it. */
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
      console.error('Unexpected progress message', report.error)
      return
    }
    const { notificationId } = report.data
    const before = waiting.get(notificationId)
    waiting.set(notificationId, before ? mergeProgress(before, report.data) : report.data)
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
    return collectReports(socket, (news) =>
      client.setQueryData<Reports>(reportsKey, (known = noReports) => addReports(known, news)),
    )
  }, [client, socket])
  return useQuery(
    // Written by the socket alone.
    { queryKey: reportsKey, queryFn: () => noReports, initialData: noReports, enabled: false, gcTime: 0 },
    client,
  ).data
}

const campaignsKey = ['sends'] as const

/** The page that a reload requests: the page on show, or the one that is being loaded. */
type Wanted = { readonly page: number; readonly hasFailed: boolean }

/** A page of the sends, which stays on show until another page has loaded. */
const useCampaignPage = () => {
  const client = useQueryClient()
  const toast = useToast()
  const [wanted, setWanted] = useState<Wanted>({ page: 1, hasFailed: false })
  const page = useRef(wanted.page)
  const want = useCallback((next: Wanted) => {
    page.current = next.page
    setWanted(next)
  }, [])

  const request = async (signal: AbortSignal): Promise<Answer<CampaignPage>> => {
    const answer = await call(listRecentNotifications, {
      query: { page: page.current, limit: defaultPageSize },
      signal,
    })
    if (answer.success) {
      const { notifications, pagination } = answer.data
      if (!signal.aborted) want({ page: pagination.page, hasFailed: false })
      return { success: true, data: { campaigns: notifications.filter(isCampaign), pagination } }
    }
    if (!signal.aborted) {
      // The page on show is still the one that is followed, and loaded again after a break.
      want({ page: loadedData<CampaignPage>(client, campaignsKey)?.pagination.page ?? page.current, hasFailed: true })
      toast.error('Failed to load notifications')
    }
    return answer
  }
  const { state, isFetching, reload } = useRequestQuery({ key: campaignsKey, request, retriesOnline: 'every-load' })

  const show = useCallback(
    (next: number) => {
      want({ page: next, hasFailed: false })
      void reload()
    },
    [want, reload],
  )
  return { loaded: state.kind === 'loaded' ? state.data : undefined, wanted, isFetching, show, reload }
}

/** A burst of new sends is one reload. */
export const reloadDelayMs = 300

export type History = {
  /** The page on show; undefined before the first one has loaded. */
  readonly loaded: CampaignPage | undefined
  readonly reports: Reports
  /** Whether a page that is not on show is being loaded. */
  readonly isBusy: boolean
  readonly hasFailed: boolean
}

/** The history of sends: the page on show, and the socket's reports since. */
export const useHistory = () => {
  const { loaded, wanted, isFetching, show, reload } = useCampaignPage()
  const reports = useReports()
  const socket = useSocket()
  useEffect(() => (socket ? onReconnect(socket, () => void reload()) : undefined), [socket, reload])

  const missing = loaded && wanted.page === 1 ? missingCampaign(loaded, reports) : undefined
  useEffect(() => {
    if (missing === undefined) return undefined
    const timer = setTimeout(() => void reload(), reloadDelayMs)
    return () => clearTimeout(timer)
  }, [missing, reload])

  const isBusy = loaded ? isFetching && loaded.pagination.page !== wanted.page : !wanted.hasFailed
  const history: History = { loaded, reports, isBusy, hasFailed: wanted.hasFailed }
  return { history, show, reload: useCallback(() => void reload(), [reload]) }
}
