import type { PushClientConfig } from '@portal/contracts/notifications/http'
import { currentSession } from '../../lib/session.ts'
import { fetchPushConfig, sendToken } from './api.ts'
import { oneAtATime } from './one-at-a-time.ts'
import type { PushProvider } from './provider.ts'
import { registeredPushWorker, registerPushWorker } from './push-worker.ts'
import { forgetSavedToken, isFresh, savedToken, saveToken } from './saved-token.ts'

export type PushSetUp = {
  readonly loadProvider: () => Promise<PushProvider>
  readonly now: () => number
  /** Whether the session that this is for goes on. */
  readonly isCurrent: () => boolean
}

/** As the server last told it: to revoke a token it is needed when the session that could ask for it is over. */
let knownConfig: PushClientConfig | null = null

/** Deletes the saved token here, then with the provider, whose failure must not keep it alive here. */
const discardToken = async (loadProvider: PushSetUp['loadProvider']): Promise<void> => {
  forgetSavedToken()
  try {
    if (knownConfig) await (await loadProvider()).revokeToken(knownConfig)
  } catch (error) {
    console.warn('The push provider could not be told that a token is no longer used', error)
  }
  const subscription = await (await registeredPushWorker())?.pushManager.getSubscription()
  await subscription?.unsubscribe()
}

const tokenFor = async (config: PushClientConfig, { loadProvider, now }: PushSetUp): Promise<string> => {
  const worker = await registerPushWorker()
  const saved = savedToken()
  // A subscription that the browser has dropped receives nothing, however young its token.
  if (saved && isFresh(saved, now()) && (await worker.pushManager.getSubscription())) return saved.token
  if (saved) await discardToken(loadProvider)
  const { requestToken } = await loadProvider()
  const token = await requestToken(config, worker)
  if (!token) throw new Error('The push provider gave no token')
  saveToken({ token, savedAtMs: now() })
  return token
}

const obtainToken = async (setUp: PushSetUp): Promise<string | null> => {
  if (Notification.permission === 'denied') {
    console.info('Notifications are not permitted')
    return null
  }
  const config = await fetchPushConfig()
  knownConfig = config
  if (!config || !setUp.isCurrent()) return null
  if ((await Notification.requestPermission()) !== 'granted') {
    console.info('Notifications are not permitted')
    return null
  }
  return oneAtATime(() => tokenFor(config, setUp))
}

/**
 * Gives the token that this browser receives pushes with, saved here and known to the server; null without permission or
 * support, and after any failure, which is only logged. Rejects when the server could not be told, as the token is of no use
 * then.
 */
export const setUpPush = async (setUp: PushSetUp): Promise<string | null> => {
  let token: string | null
  try {
    token = await obtainToken(setUp)
  } catch (error) {
    console.warn('Push notifications could not be set up', error)
    return null
  }
  if (token === null || !setUp.isCurrent()) return null
  await sendToken(token)
  return token
}

/** At log-out. The server has forgotten the token with the session. */
export const forgetPush = (loadProvider: PushSetUp['loadProvider']): Promise<void> =>
  oneAtATime(async () => {
    // Another tab has been as quick, or somebody has signed in since.
    if (!savedToken() || currentSession()) return
    await discardToken(loadProvider)
  })
