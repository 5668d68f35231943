import { socketEvents } from '@portal/contracts/notifications/socket'
import { useEffect } from 'react'
import { onReconnect, useSocket } from '../../../../lib/socket.ts'

/** Calls `act` on `trigger`: at once, then at most once per `everyMs`. The last trigger is never lost. */
export const throttle = (everyMs: number, act: () => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isTriggered = false

  const run = () => {
    isTriggered = false
    act()
    timer = setTimeout(() => {
      timer = undefined
      if (isTriggered) run()
    }, everyMs)
  }

  return {
    trigger: () => {
      if (timer === undefined) run()
      else isTriggered = true
    },
    stop: () => clearTimeout(timer),
  }
}

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
