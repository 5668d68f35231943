import { getPushConfig, savePushToken, type PushClientConfig } from '@portal/contracts/notifications/http'
import { call } from '../../lib/http.ts'
import { currentSession } from '../../lib/session.ts'
import { readStored, removeStored, storageKeys, writeStored } from '../../lib/storage.ts'
import { registeredPushWorker, registerPushWorker } from './push-worker.ts'

/** Whoever gives out push tokens. */
export type PushProvider = {
  requestToken(config: PushClientConfig, worker: ServiceWorkerRegistration): Promise<string>
  /** The provider forgets the token and the browser its subscription. */
  revokeToken(config: PushClientConfig): Promise<unknown>
}

/** A library of its own, which only those load who have said yes to notifications. */
export const loadFirebase = (): Promise<PushProvider> => import('./firebase.ts')

/** Null where the portal has no push provider. */
const fetchPushConfig = async (): Promise<PushClientConfig | null> => {
  const answer = await call(getPushConfig, {})
  if (!answer.success) throw new Error(answer.message)
  return answer.data.config
}

/** Has the server push to this browser; the same token again changes nothing there. */
const sendToken = async (token: string): Promise<void> => {
  const answer = await call(savePushToken, { body: { token } })
  if (answer.success) return
  const error = new Error(answer.message)
  console.error('The push token could not be saved', error)
  throw error
}

let lastAction: Promise<unknown> = Promise.resolve()

const queueInTab = <T>(action: () => Promise<T>): Promise<T> => {
  const mine = lastAction.then(action)
  lastAction = mine.catch(() => undefined)
  return mine
}

/**
 * Tabs share one token and one subscription: of several that start, or end, at once, one after the other acts. Older browsers
 * keep order within a tab only.
 */
const withTokenLock = async <T>(action: () => Promise<T>): Promise<T> => {
  const { locks }: { readonly locks?: LockManager | null } = navigator
  return locks ? locks.request('push-token', action) : queueInTab(action)
}

type SavedToken = { readonly token: string; readonly savedAtMs: number }

const refreshAgeMs = 7 * 24 * 60 * 60_000

/** One whose age is unknown counts as very old. */
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
  /** Whether the session that this is for goes on. */
  readonly isCurrent: () => boolean
}

/** As the server last told it: to revoke a token it is needed when the session that could ask for it is over. */
let knownConfig: PushClientConfig | null = null

/** Deletes the saved token here, then with the provider, whose failure must not keep it alive here. */
const discardToken = async (loadProvider: PushSetUp['loadProvider']): Promise<void> => {
  clearSavedToken()
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
  return withTokenLock(() => tokenFor(config, setUp))
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
export const removePushToken = (loadProvider: PushSetUp['loadProvider']): Promise<void> =>
  withTokenLock(async () => {
    // Another tab has been as quick, or somebody has signed in since.
    if (!savedToken() || currentSession()) return
    await discardToken(loadProvider)
  })
