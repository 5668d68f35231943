import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { serverNowMs } from './server-clock.ts'
import { useSocket } from './socket.ts'

/** When live updates stopped (ms since 1970), once that is longer than `afterMs` ago; undefined while they arrive. */
export const useStaleSince = (afterMs: number): number | undefined => {
  const socket = useSocket()
  const subscribe = useCallback(
    (onChange: () => void) => {
      socket?.on('connect', onChange)
      socket?.on('disconnect', onChange)
      return () => {
        socket?.off('connect', onChange)
        socket?.off('disconnect', onChange)
      }
    },
    [socket],
  )
  const connected = useSyncExternalStore(subscribe, () => socket?.connected ?? false)
  const [staleSince, setStaleSince] = useState<number>()

  useEffect(() => {
    if (connected) return undefined
    const downAt = serverNowMs()
    const timer = setTimeout(() => setStaleSince(downAt), afterMs)
    return () => {
      clearTimeout(timer)
      setStaleSince(undefined)
    }
  }, [connected, afterMs])

  return staleSince
}
