import type { socketEvents } from '@portal/contracts/notifications/socket'
import { useEffect, useEffectEvent } from 'react'
import { onReconnect, useSocket } from '../../lib/socket.ts'
import { throttle } from '../../lib/throttle.ts'

/** The form of another tab saves its draft while it is typed. */
const refreshEveryMs = 1_000

/** While the list is open, calls `onChange` when it has changed, and after each reconnect. */
export const useListChanged = (
  event: typeof socketEvents.draftsChanged | typeof socketEvents.templatesChanged,
  isOpen: boolean,
  onChange: () => void,
): void => {
  const socket = useSocket()
  const changed = useEffectEvent(onChange)
  useEffect(() => {
    if (!socket || !isOpen) return undefined
    const refreshing = throttle(refreshEveryMs, () => changed())
    socket.on(event, refreshing.trigger)
    const stop = onReconnect(socket, refreshing.trigger)
    return () => {
      socket.off(event, refreshing.trigger)
      stop()
      refreshing.stop()
    }
  }, [socket, event, isOpen])
}
