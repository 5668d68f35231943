import { removeDevice } from '@portal/contracts/notifications/devices'
import { call, type Answer } from '../../lib/http.ts'
import { currentSession } from '../../lib/session.ts'
import { clearSavedToken, loadFirebase, setUpPush, unsubscribe, type PushProvider } from './set-up-push.ts'
import { requestPushPermission } from './support.ts'
import { forgetTurnedOff, rememberTurnedOff } from './turned-off.ts'

export type TurnedOn = 'on' | 'not-permitted' | 'failed'

/** Must be called in a tap, before anything is awaited: WebKit asks for the permission only then. */
export const turnPushOn = async (loadProvider: () => Promise<PushProvider> = loadFirebase): Promise<TurnedOn> => {
  const permission = requestPushPermission()
  const session = currentSession()?.token
  if ((await permission) !== 'granted') return 'not-permitted'
  forgetTurnedOff()
  // The server accepts no token that its user has removed.
  clearSavedToken()
  try {
    const isCurrent = () => currentSession()?.token === session
    return (await setUpPush({ loadProvider, now: Date.now, isCurrent })) === null ? 'failed' : 'on'
  } catch (error) {
    console.warn('Push could not be turned on', error)
    return 'failed'
  }
}

/** Removes this device on the server, then its subscription. */
export const turnPushOff = async (id: string): Promise<Answer<unknown>> => {
  rememberTurnedOff()
  const answer = await call(removeDevice, { params: { id } })
  if (!answer.success && answer.code !== 'not-found') {
    forgetTurnedOff()
    return answer
  }
  clearSavedToken()
  await unsubscribe().catch((error: unknown) =>
    console.warn('The subscription of the browser could not be removed, the server no longer uses it', error),
  )
  return { success: true, data: null }
}
