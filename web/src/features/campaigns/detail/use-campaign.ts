import { getCampaign } from '@portal/contracts/notifications/http'
import type { CampaignProgress } from '@portal/contracts/notifications/sent-item'
import type { NotificationId } from '@portal/contracts/shared/ids'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { z } from 'zod'
import { call } from '../../../lib/http.ts'
import { useRequestQuery } from '../../../lib/query.ts'
import { onReconnect, useSocket } from '../../../lib/socket.ts'
import { throttle } from '../../../lib/throttle.ts'
import { progressOf, useReports } from '../use-reports.ts'

export type CampaignDetails = Omit<z.output<typeof getCampaign.response>, 'success'>

/** A campaign with its latest progress: what the server returned, updated by the reports of the socket. */
export const useCampaign = (id: NotificationId) => {
  const { state, reload, refresh } = useRequestQuery({
    key: ['campaign', id],
    request: (signal) => call(getCampaign, { params: { id }, signal }),
  })
  const reports = useReports()
  const socket = useSocket()
  useEffect(() => (socket ? onReconnect(socket, () => void refresh()) : undefined), [socket, refresh])
  if (state.kind !== 'loaded') return { state, reload }
  const { campaign } = state.data
  const details: CampaignDetails = { ...state.data, campaign: { ...campaign, progress: progressOf(reports, campaign) } }
  return { state: { ...state, data: details }, reload }
}

/** Calls `act` when the progress changes: at once, then at most once per `everyMs`. */
export const useOnProgress = (progress: CampaignProgress, everyMs: number, act: () => unknown): void => {
  const onChange = useEffectEvent(() => void act())
  const limiter = useRef<ReturnType<typeof throttle>>(undefined)
  useEffect(() => {
    const { trigger, stop } = throttle(everyMs, () => onChange())
    limiter.current = { trigger, stop }
    return stop
  }, [everyMs])

  const numbers = JSON.stringify(progress)
  const previous = useRef(numbers)
  useEffect(() => {
    if (previous.current === numbers) return
    previous.current = numbers
    limiter.current?.trigger()
  }, [numbers])
}
