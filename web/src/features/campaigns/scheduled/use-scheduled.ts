import { listScheduledNotifications, type ScheduledSend } from '@portal/contracts/notifications/scheduled-send'
import { socketEvents } from '@portal/contracts/notifications/socket'
import { useEffect, useEffectEvent } from 'react'
import { call } from '../../../lib/http.ts'
import { loadedData, useQueryClient, useRequestQuery } from '../../../lib/query.ts'
import { useSocket } from '../../../lib/socket.ts'
import { throttle } from '../../../lib/throttle.ts'

const key = ['scheduled-sends']
/** Many can be due at the same moment. */
const refreshEveryMs = 1_000

/** The scheduled sends of all admins, kept up to date. */
export const useScheduled = () => {
  const client = useQueryClient()
  const socket = useSocket()
  const { state, reload, refresh } = useRequestQuery<readonly ScheduledSend[]>({
    key,
    request: async (signal) => {
      const answer = await call(listScheduledNotifications, { signal })
      return answer.success ? { success: true, data: answer.data.scheduled } : answer
    },
    retriesOnline: 'every-load',
  })
  const isListed = useEffectEvent((id: string): boolean =>
    (loadedData<readonly ScheduledSend[]>(client, key) ?? []).some(({ notificationId }) => notificationId === id),
  )
  useEffect(() => {
    if (!socket) return undefined
    const refreshing = throttle(refreshEveryMs, () => void refresh())
    const onChange = () => refreshing.trigger()
    // One that was sent has progress, and is scheduled no more.
    const onProgress = ({ notificationId }: { readonly notificationId: string }) => {
      if (isListed(notificationId)) onChange()
    }
    socket.on(socketEvents.scheduledChanged, onChange)
    socket.on(socketEvents.campaignProgress, onProgress)
    // Also the first time: what changed between the first request and the connection was told to others only.
    socket.on('connect', onChange)
    return () => {
      socket.off(socketEvents.scheduledChanged, onChange)
      socket.off(socketEvents.campaignProgress, onProgress)
      socket.off('connect', onChange)
      refreshing.stop()
    }
  }, [socket, refresh])
  return { state, reload, refresh }
}
export type Scheduled = ReturnType<typeof useScheduled>
