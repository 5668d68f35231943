import type { CampaignProgress } from '@portal/contracts/notifications/notification'
import { useCallback, useEffect, useReducer } from 'react'
import { onReconnect } from '../../lib/reconnect.ts'
import { useSocket } from '../../lib/socket.ts'
import { useAsking } from '../../lib/use-asking.ts'
import { useRetryOnline } from '../../lib/use-online.ts'
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
  const ask = useCallback((signal: AbortSignal) => loadSends(request.page, signal), [request])
  const take = useCallback(
    (answer: Awaited<ReturnType<typeof loadSends>>) => {
      if (answer.success) {
        const { notifications, pagination } = answer.data
        dispatch({ type: 'page-loaded', sends: notifications.filter(isSend), pagination })
      } else {
        dispatch({ type: 'page-failed' })
        toast.error('Failed to load notifications')
      }
    },
    [toast],
  )
  const { isCutOff } = useAsking(ask, take)
  useRetryOnline(isCutOff, reload)

  const onReports = useCallback((reports: readonly CampaignProgress[]) => dispatch({ type: 'reported', reports }), [])
  useReports(socket, onReports)
  useEffect(() => (socket ? onReconnect(socket, reload) : undefined), [socket, reload])

  const missing = missingSend(history)
  useEffect(() => {
    if (missing === undefined) return undefined
    const timer = setTimeout(reload, reloadAfterMs)
    return () => clearTimeout(timer)
  }, [missing, reload])

  return { history, show, reload }
}
