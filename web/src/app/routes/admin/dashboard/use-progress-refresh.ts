import { socketEvents } from '@portal/contracts/notifications/socket'
import { useEffect } from 'react'
import { onReconnect } from '../../../../lib/reconnect.ts'
import { useSocket } from '../../../../lib/socket.ts'
import { throttle } from '../../../../lib/throttle.ts'

/** A large send reports many times a second; figures of days need not follow each. */
export const refreshEveryMs = 10_000

/** Asks again while sends progress, and when the connection is back. `reload` must be the same function between renders. */
export const useProgressRefresh = (reload: () => unknown) => {
  const socket = useSocket()
  useEffect(() => {
    if (!socket) return undefined
    const { poke, stop } = throttle(refreshEveryMs, () => void reload())
    const stopListening = onReconnect(socket, poke)
    socket.on(socketEvents.campaignProgress, poke)
    return () => {
      socket.off(socketEvents.campaignProgress, poke)
      stopListening()
      stop()
    }
  }, [socket, reload])
}
