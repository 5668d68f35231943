import { styled } from '@mui/material/styles'
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { useSocket } from '../../../lib/socket.ts'
import { exactTime } from '../../../ui/time.tsx'

/** A shorter interruption of the connection is not shown. */
const staleAfterMs = 2000

/** When the connection was lost (ms since 1970); undefined while it is open. */
const useStaleSince = (): number | undefined => {
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

const Line = styled('div')(({ theme }) => ({
  ...theme.typography.body2,
  '& p': {
    margin: theme.spacing(3, 0),
    padding: theme.spacing(2, 4),
    borderRadius: 6,
    backgroundColor: theme.vars.palette.portal.tones.yellow.background,
    color: theme.vars.palette.portal.tones.yellow.text,
  },
}))

/** Shows that the counts below are no longer live. */
export const StaleNotice = () => {
  const since = useStaleSince()
  return (
    <Line role="status">
      {since !== undefined && (
        <p>
          Live updates stopped at {exactTime(new Date(since).toISOString())}. The counts are from then; they catch up
          when the connection is back.
        </p>
      )}
    </Line>
  )
}
