import { listDevices, type Device } from '@portal/contracts/notifications/devices'
import { useEffect } from 'react'
import { call, type Answer } from '../../lib/http.ts'
import { useRequestQuery } from '../../lib/query.ts'
import { registeredEvent } from './set-up-push.ts'

const key = ['devices']

const requestDevices = async (signal: AbortSignal): Promise<Answer<readonly Device[]>> => {
  const answer = await call(listDevices, { signal })
  return answer.success ? { success: true, data: answer.data.devices } : answer
}

/** The user's devices. Loaded again after a registration, and when the user returns to the tab: another device may have changed them. */
export const useDevices = () => {
  const devices = useRequestQuery({ key, request: requestDevices })
  const { refresh } = devices
  useEffect(() => {
    const onChange = () => {
      if (document.visibilityState === 'visible') void refresh()
    }
    document.addEventListener('visibilitychange', onChange)
    window.addEventListener(registeredEvent, onChange)
    return () => {
      document.removeEventListener('visibilitychange', onChange)
      window.removeEventListener(registeredEvent, onChange)
    }
  }, [refresh])
  return devices
}
