import type { CampaignProgress } from '@portal/contracts/notifications/notification'
import { useCallback, useEffect, useReducer } from 'react'
import { useSocket, type PortalSocket } from '../../lib/socket.ts'
import { useToast } from '../../ui/toast/atoms.ts'
import { loadSends } from './api.ts'
import { evolve, isSend, missingSend, newHistory } from './history.ts'
import { useReports } from './use-reports.ts'

/** A burst of new sends is one reload. */
const reloadAfterMs = 300

export const useHistory = () => {
  const [history, dispatch] = useReducer(evolve, newHistory)
  const toast = useToast()
  const socket = useSocket()

  const show = useCallback((page: number) => dispatch({ type: 'page-requested', page }), [])
  const reload = useCallback(() => dispatch({ type: 'reload-requested' }), [])

  const { request } = history
  useEffect(() => {
    const leaving = new AbortController()
    const load = async () => {
      const answer = await loadSends(request.page, leaving.signal)
      if (leaving.signal.aborted) return
      if (answer.success) {
        const { notifications, pagination } = answer.data
        dispatch({ type: 'page-loaded', sends: notifications.filter(isSend), pagination })
      } else {
        dispatch({ type: 'page-failed' })
        toast.error('Failed to load notifications')
      }
    }
    void load()
    return () => leaving.abort()
  }, [request, toast])

  const onReports = useCallback((reports: readonly CampaignProgress[]) => dispatch({ type: 'reported', reports }), [])
  useReports(socket, onReports)
  useReloadOnReconnect(socket, reload)

  const missing = missingSend(history)
  useEffect(() => {
    if (missing === undefined) return undefined
    const timer = setTimeout(reload, reloadAfterMs)
    return () => clearTimeout(timer)
  }, [missing, reload])

  return { history, show, reload }
}

/** What was reported while the connection was down is not repeated: the page has it. */
const useReloadOnReconnect = (socket: PortalSocket | null, reload: () => void) => {
  useEffect(() => {
    if (!socket) return undefined
    let wasDown = false
    const onDisconnect = () => {
      wasDown = true
    }
    const onConnect = () => {
      if (wasDown) reload()
      wasDown = false
    }
    socket.on('disconnect', onDisconnect)
    socket.on('connect', onConnect)
    return () => {
      socket.off('disconnect', onDisconnect)
      socket.off('connect', onConnect)
    }
  }, [socket, reload])
}
