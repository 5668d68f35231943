import { listDevices, type Device } from '@portal/contracts/notifications/devices'
import { useEffect } from 'react'
import { call, type Answer } from '../../lib/http.ts'
import { useRequestQuery } from '../../lib/query.ts'

const key = ['devices']

const requestDevices = async (signal: AbortSignal): Promise<Answer<readonly Device[]>> => {
  const answer = await call(listDevices, { signal })
  return answer.success ? { success: true, data: answer.data.devices } : answer
}

/** The user's devices. Loaded again when the user returns to the tab, from the settings of the browser or another device. */
export const useDevices = () => {
  const devices = useRequestQuery({ key, request: requestDevices })
  const { refresh } = devices
  useEffect(() => {
    const onVisible = () => {
      if (document.visibilityState === 'visible') void refresh()
    }
    document.addEventListener('visibilitychange', onVisible)
    return () => document.removeEventListener('visibilitychange', onVisible)
  }, [refresh])
  return devices
}
