import { socketEvents } from '@portal/contracts/notifications/socket'
import { useEffect } from 'react'
import { onReconnect, useSocket } from '../../../../lib/socket.ts'
import { throttle } from '../../../../lib/throttle.ts'

/** A large campaign reports its progress many times a second; daily totals do not need each report. */
const refreshIntervalMs = 10_000

/** Refreshes while campaigns progress, and on reconnect. `refresh` must be stable between renders. */
export const useProgressRefresh = (refresh: () => unknown) => {
  const socket = useSocket()
  useEffect(() => {
    if (!socket) return undefined
    const { trigger, stop } = throttle(refreshIntervalMs, () => void refresh())
    const stopListening = onReconnect(socket, trigger)
    socket.on(socketEvents.campaignProgress, trigger)
    return () => {
      socket.off(socketEvents.campaignProgress, trigger)
      stopListening()
      stop()
    }
  }, [socket, refresh])
}
