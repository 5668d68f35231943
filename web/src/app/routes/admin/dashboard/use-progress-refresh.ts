import { socketEvents } from '@portal/contracts/notifications/socket'
import { useEffect } from 'react'
import { onReconnect, useSocket } from '../../../../lib/socket.ts'
import { throttle } from '../../../../lib/throttle.ts'

/** A large campaign reports its progress many times a second; daily totals do not need each report. */
const refreshIntervalMs = 10_000

/** Reloads while campaigns progress, and on reconnect. `reload` must be stable between renders. */
export const useProgressRefresh = (reload: () => unknown) => {
  const socket = useSocket()
  useEffect(() => {
    if (!socket) return undefined
    const { trigger, stop } = throttle(refreshIntervalMs, () => void reload())
    const stopListening = onReconnect(socket, trigger)
    socket.on(socketEvents.campaignProgress, trigger)
    return () => {
      socket.off(socketEvents.campaignProgress, trigger)
      stopListening()
      stop()
    }
  }, [socket, reload])
}
