import { campaignProgressSchema, type CampaignProgress, type SentItem } from '@portal/contracts/notifications/sent-item'
import { socketEvents } from '@portal/contracts/notifications/socket'
import type { NotificationId } from '@portal/contracts/shared/ids'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useQueryClient } from '../../lib/query.ts'
import { useSocket, type PortalSocket } from '../../lib/socket.ts'
import { mergeProgress } from './progress.ts'

/** The newest report of each campaign, also of campaigns on other pages, because a report may arrive before its page. */
export type Reports = ReadonlyMap<NotificationId, CampaignProgress>

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

/** The reports of the socket, collected while a page shows campaigns. */
export const useReports = (): Reports => {
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
