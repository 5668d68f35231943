import {
  getPushConfig,
  getPushKey,
  savePushToken,
  type PushClientConfig,
} from '@portal/contracts/notifications/push-http'
import { call } from '../../lib/http.ts'
import { currentSession } from '../../lib/session.ts'
import { readStored, removeStored, storageKeys, writeStored } from '../../lib/storage.ts'
import { registeredPushWorker, registerPushWorker } from './push-worker.ts'
import { pushPermission, requestPushPermission } from './support.ts'
import { rememberTurnedOff } from './turned-off.ts'
import { isSubscriptionToken, subscribe, subscriptionToken } from './web-push.ts'

/** FCM, which issues tokens. */
export type PushProvider = {
  requestToken(config: PushClientConfig, worker: ServiceWorkerRegistration): Promise<string>
  /** Deletes the token at the provider and the subscription in the browser. */
  revokeToken(config: PushClientConfig): Promise<unknown>
}

/** Loads the provider's library, which only users of a portal with FCM need, if they allow notifications. */
export const loadFirebase = (): Promise<PushProvider> => import('./firebase.ts')

/** How this browser registers: by its own push service with the server's public key, or at FCM. */
type Registration = { readonly key: string } | { readonly config: PushClientConfig }

const fetchRegistration = async (): Promise<Registration> => {
  const served = await call(getPushKey, {})
  if (!served.success) throw new Error(served.message)
  if (served.data.provider === 'web-push') return { key: served.data.key }
  const answer = await call(getPushConfig, {})
  if (!answer.success) throw new Error(answer.message)
  if (answer.data.config === null) throw new Error('FCM is not configured')
  return { config: answer.data.config }
}

/** An event of the window: the server has answered a registration, also one at the start. */
export const registeredEvent = 'portal:push-registered'

/** Registers the token on the server. Repeating it has no effect. */
const sendToken = async (token: string): Promise<void> => {
  const answer = await call(savePushToken, { body: { token } })
  // Removed from another device: it stays off until its user turns it on here.
  if (answer.success && answer.data.isRemoved) rememberTurnedOff()
  if (answer.success) return void window.dispatchEvent(new Event(registeredEvent))
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

/** The next setup then registers another token. */
export const clearSavedToken = (): void => {
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

/** The last config from the server. It is needed to revoke a token of FCM after the session has ended. */
let knownConfig: PushClientConfig | null = null

/** Ends the subscription of this browser, if it has one. */
export const unsubscribe = async (): Promise<void> => {
  const subscription = await (await registeredPushWorker())?.pushManager.getSubscription()
  await subscription?.unsubscribe()
}

/** Deletes the saved token first, so that a failure of the provider cannot keep it. */
const discardToken = async (loadProvider: PushSetUp['loadProvider']): Promise<void> => {
  const saved = savedToken()
  clearSavedToken()
  try {
    if (saved && knownConfig && !isSubscriptionToken(saved.token)) await (await loadProvider()).revokeToken(knownConfig)
  } catch (error) {
    console.warn('The push token could not be revoked at the provider', error)
  }
  await unsubscribe()
}

/** A subscription stays when FCM begins to serve, until its age. A token of FCM is of no use to a server without it. */
const isUsable = (token: string, subscription: PushSubscription, registration: Registration): boolean =>
  'config' in registration || token === subscriptionToken(subscription, registration.key)

const requestToken = async (
  registration: Registration,
  worker: ServiceWorkerRegistration,
  loadProvider: PushSetUp['loadProvider'],
): Promise<string> =>
  'key' in registration
    ? subscribe(registration.key, worker)
    : (await loadProvider()).requestToken(registration.config, worker)

const tokenFor = async (registration: Registration, { loadProvider, now }: PushSetUp): Promise<string> => {
  const worker = await registerPushWorker()
  const saved = savedToken()
  // Without a subscription in the browser, even a fresh token receives nothing.
  const subscription = await worker.pushManager.getSubscription()
  if (saved && isFresh(saved, now()) && subscription && isUsable(saved.token, subscription, registration))
    return saved.token
  // A browser has one subscription, of one key.
  if (saved || subscription) await discardToken(loadProvider)
  const token = await requestToken(registration, worker, loadProvider)
  if (!token) throw new Error('The push provider returned no token')
  saveToken({ token, savedAtMs: now() })
  return token
}

const obtainToken = async (setUp: PushSetUp): Promise<string | null> => {
  if (pushPermission() === 'denied') {
    console.info('Notifications are not permitted')
    return null
  }
  const registration = await fetchRegistration()
  knownConfig = 'config' in registration ? registration.config : null
  if (!setUp.isCurrent()) return null
  if ((await requestPushPermission()) !== 'granted') {
    console.info('Notifications are not permitted')
    return null
  }
  return withTokenLock(() => tokenFor(registration, setUp))
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
