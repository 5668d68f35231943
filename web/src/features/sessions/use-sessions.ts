import { listSessions, type OpenSession } from '@portal/contracts/auth/sessions'
import { useEffect } from 'react'
import { call, type Answer } from '../../lib/http.ts'
import { useRequestQuery } from '../../lib/query.ts'

const key = ['sessions']

const requestSessions = async (signal: AbortSignal): Promise<Answer<readonly OpenSession[]>> => {
  const answer = await call(listSessions, { signal })
  return answer.success ? { success: true, data: answer.data.sessions } : answer
}

/** Where the user is signed in. Loaded again when the user returns to the tab: another device may have changed it. */
export const useSessions = () => {
  const sessions = useRequestQuery({ key, request: requestSessions })
  const { refresh } = sessions
  useEffect(() => {
    const onChange = () => {
      if (document.visibilityState === 'visible') void refresh()
    }
    document.addEventListener('visibilitychange', onChange)
    return () => document.removeEventListener('visibilitychange', onChange)
  }, [refresh])
  return sessions
}
