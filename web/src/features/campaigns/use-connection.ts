import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { useSocket } from '../../lib/socket.ts'

/** A connection that is only being made, or back within this time, is not worth a word. */
const staleAfterMs = 2000

/** Since when (ms since 1970) nothing has come live; undefined while all is well. */
export const useStaleSince = (): number | undefined => {
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
    const downAt = Date.now()
    const timer = setTimeout(() => setStaleSince(downAt), staleAfterMs)
    return () => {
      clearTimeout(timer)
      setStaleSince(undefined)
    }
  }, [connected])

  return staleSince
}
