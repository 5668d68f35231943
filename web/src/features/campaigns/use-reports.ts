import { campaignProgressSchema, type CampaignProgress } from '@portal/contracts/notifications/notification'
import { socketEvents } from '@portal/contracts/notifications/socket'
import type { NotificationId } from '@portal/contracts/shared/ids'
import { useEffect } from 'react'
import type { PortalSocket } from '../../lib/socket.ts'
import { later } from './progress.ts'

type OnReports = (reports: readonly CampaignProgress[]) => void

/** Reports come by the hundred during a large send: they are joined, and handed on once a frame. */
const collectReports = (onReports: OnReports) => {
  const waiting = new Map<NotificationId, CampaignProgress>()
  let frame: number | undefined
  const flush = () => {
    frame = undefined
    onReports([...waiting.values()])
    waiting.clear()
  }
  return {
    take: (message: unknown) => {
      const report = campaignProgressSchema.safeParse(message)
      if (!report.success) {
        console.error('Unexpected progress message', report.error)
        return
      }
      const { notificationId } = report.data
      const before = waiting.get(notificationId)
      waiting.set(notificationId, before ? later(before, report.data) : report.data)
      frame ??= requestAnimationFrame(flush)
    },
    stop: () => {
      if (frame !== undefined) cancelAnimationFrame(frame)
    },
  }
}

export const useReports = (socket: PortalSocket | null, onReports: OnReports) => {
  useEffect(() => {
    if (!socket) return undefined
    const { take, stop } = collectReports(onReports)
    socket.on(socketEvents.campaignProgress, take)
    return () => {
      socket.off(socketEvents.campaignProgress, take)
      stop()
    }
  }, [socket, onReports])
}
