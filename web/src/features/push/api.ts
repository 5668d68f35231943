import { getPushConfig, type PushClientConfig, savePushToken } from '@portal/contracts/notifications/http'
import { call } from '../../lib/http.ts'

/** Null where the portal has no push provider. */
export const fetchPushConfig = async (): Promise<PushClientConfig | null> => {
  const answer = await call(getPushConfig, {})
  if (!answer.success) throw new Error(answer.message)
  return answer.data.config
}

/** Has the server push to this browser; the same token again changes nothing there. */
export const sendToken = async (token: string): Promise<void> => {
  const answer = await call(savePushToken, { body: { token } })
  if (answer.success) return
  const error = new Error(answer.message)
  console.error('The push token could not be saved', error)
  throw error
}
