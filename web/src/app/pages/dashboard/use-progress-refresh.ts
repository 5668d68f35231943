import { socketEvents } from '@portal/contracts/notifications/socket'
import { useEffect } from 'react'
import { useSocket } from '../../../lib/socket.ts'
import { atMostEvery } from './at-most-every.ts'

/** A large send reports many times a second; figures of days need not follow each. */
export const refreshEveryMs = 10_000

/** Asks again while sends progress, and when the connection is back. `reload` must be the same function between renders. */
export const useProgressRefresh = (reload: () => unknown) => {
  const socket = useSocket()
  useEffect(() => {
    if (!socket) return undefined
    const { poke, stop } = atMostEvery(refreshEveryMs, () => void reload())
    let wasDown = false
    const onDisconnect = () => {
      wasDown = true
    }
    const onConnect = () => {
      if (wasDown) poke()
      wasDown = false
    }
    socket.on(socketEvents.campaignProgress, poke)
    socket.on('disconnect', onDisconnect)
    socket.on('connect', onConnect)
    return () => {
      socket.off(socketEvents.campaignProgress, poke)
      socket.off('disconnect', onDisconnect)
      socket.off('connect', onConnect)
      stop()
    }
  }, [socket, reload])
}
