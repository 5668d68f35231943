import { getPushConfig, savePushToken, type PushClientConfig } from '@portal/contracts/notifications/push-http'
import { call } from '../../lib/http.ts'
import { currentSession } from '../../lib/session.ts'
import { readStored, removeStored, storageKeys, writeStored } from '../../lib/storage.ts'
import { registeredPushWorker, registerPushWorker } from './push-worker.ts'
import { pushPermission, requestPushPermission } from './support.ts'

/** The push service, which issues tokens. */
export type PushProvider = {
  requestToken(config: PushClientConfig, worker: ServiceWorkerRegistration): Promise<string>
  /** Deletes the token at the provider and the subscription in the browser. */
  revokeToken(config: PushClientConfig): Promise<unknown>
}

/** Loads the provider's library, which only users who allow notifications need. */
export const loadFirebase = (): Promise<PushProvider> => import('./firebase.ts')

/** Null if the portal has no push provider. */
const fetchPushConfig = async (): Promise<PushClientConfig | null> => {
  const answer = await call(getPushConfig, {})
  if (!answer.success) throw new Error(answer.message)
  return answer.data.config
}

/** Registers the token on the server. Repeating it has no effect. */
const sendToken = async (token: string): Promise<void> => {
  const answer = await call(savePushToken, { body: { token } })
  if (answer.success) return
  const error = new Error(answer.message)
  console.error('The push token could not be saved', error)
  throw error
}

let lastAction: Promise<unknown> = Promise.resolve()

const queueInTab = <T>(action: () => Promise<T>): Promise<T> => {
  const result = lastAction.then(action)
  lastAction = result.catch(() => undefined)
  return result
}

/**
 * Runs the action exclusively: all tabs share one token and one subscription. Browsers without the Locks API serialize only
 * within the tab.
 */
const withTokenLock = async <T>(action: () => Promise<T>): Promise<T> => {
  const { locks }: { readonly locks?: LockManager | null } = navigator
  return locks ? locks.request('push-token', action) : queueInTab(action)
}

type SavedToken = { readonly token: string; readonly savedAtMs: number }

const refreshAgeMs = 7 * 24 * 60 * 60_000

/** A token of unknown age counts as expired. */
const savedToken = (): SavedToken | null => {
  const token = readStored(storageKeys.pushToken)
  if (token === null) return null
  const savedAtMs = Number(readStored(storageKeys.pushTokenSavedAt))
  return { token, savedAtMs: Number.isFinite(savedAtMs) ? savedAtMs : 0 }
}

const saveToken = ({ token, savedAtMs }: SavedToken): void => {
  writeStored(storageKeys.pushToken, token)
  writeStored(storageKeys.pushTokenSavedAt, String(savedAtMs))
}

const clearSavedToken = (): void => {
  removeStored(storageKeys.pushToken)
  removeStored(storageKeys.pushTokenSavedAt)
}

const isFresh = ({ savedAtMs }: SavedToken, nowMs: number): boolean =>
  savedAtMs <= nowMs && nowMs - savedAtMs <= refreshAgeMs

type PushSetUp = {
  readonly loadProvider: () => Promise<PushProvider>
  readonly now: () => number
  /** Whether the session that started the setup is still active. */
  readonly isCurrent: () => boolean
}

/** The last config from the server. It is needed to revoke the token after the session has ended. */
let knownConfig: PushClientConfig | null = null

/** Deletes the saved token first, so that a failure of the provider cannot keep it. */
const discardToken = async (loadProvider: PushSetUp['loadProvider']): Promise<void> => {
  clearSavedToken()
  try {
    if (knownConfig) await (await loadProvider()).revokeToken(knownConfig)
  } catch (error) {
    console.warn('The push token could not be revoked at the provider', error)
  }
  const subscription = await (await registeredPushWorker())?.pushManager.getSubscription()
  await subscription?.unsubscribe()
}

const tokenFor = async (config: PushClientConfig, { loadProvider, now }: PushSetUp): Promise<string> => {
  const worker = await registerPushWorker()
  const saved = savedToken()
  // Without a subscription in the browser, even a fresh token receives nothing.
  if (saved && isFresh(saved, now()) && (await worker.pushManager.getSubscription())) return saved.token
  if (saved) await discardToken(loadProvider)
  const { requestToken } = await loadProvider()
  const token = await requestToken(config, worker)
  if (!token) throw new Error('The push provider returned no token')
  saveToken({ token, savedAtMs: now() })
  return token
}

const obtainToken = async (setUp: PushSetUp): Promise<string | null> => {
  if (pushPermission() === 'denied') {
    console.info('Notifications are not permitted')
    return null
  }
  const config = await fetchPushConfig()
  knownConfig = config
  if (!config || !setUp.isCurrent()) return null
  if ((await requestPushPermission()) !== 'granted') {
    console.info('Notifications are not permitted')
    return null
  }
  return withTokenLock(() => tokenFor(config, setUp))
}

/**
 * Returns the push token of this browser once it is stored here and on the server. Returns null without permission or support,
 * and after a failure, which is only logged. Rejects if the token cannot be sent to the server.
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

/** Forgets the push token at logout. The server has removed it with the session. */
export const removePushToken = (loadProvider: PushSetUp['loadProvider']): Promise<void> =>
  withTokenLock(async () => {
    // Another tab has removed it already, or a new session has started.
    if (!savedToken() || currentSession()) return
    await discardToken(loadProvider)
  })
