import { socketEvents } from '@portal/contracts/notifications/socket'
import { useEffect } from 'react'
import { onReconnect, useSocket } from '../../../../lib/socket.ts'

/** Runs `act` on `poke`: at once, then at most once in `everyMs`. The last poke is never lost. */
export const throttle = (everyMs: number, act: () => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isPoked = false

  const run = () => {
    isPoked = false
    act()
    timer = setTimeout(() => {
      timer = undefined
      if (isPoked) run()
    }, everyMs)
  }

  return {
    poke: () => {
      if (timer === undefined) run()
      else isPoked = true
    },
    stop: () => clearTimeout(timer),
  }
}

/** A large send reports many times a second; figures of days need not follow each. */
const refreshIntervalMs = 10_000

/** Asks again while sends progress, and when the connection is back. `reload` must be the same function between renders. */
export const useProgressRefresh = (reload: () => unknown) => {
  const socket = useSocket()
  useEffect(() => {
    if (!socket) return undefined
    const { poke, stop } = throttle(refreshIntervalMs, () => void reload())
    const stopListening = onReconnect(socket, poke)
    socket.on(socketEvents.campaignProgress, poke)
    return () => {
      socket.off(socketEvents.campaignProgress, poke)
      stopListening()
      stop()
    }
  }, [socket, reload])
}
