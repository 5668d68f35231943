/** The keys in local storage. Other software on the page reads user, token, flag and push token. */
export const storageKeys = {
  user: 'user',
  token: 'token',
  isLoggedIn: 'isLoggedIn',
  sessionEnd: 'session_end',
  logOutDue: 'log_out_due',
  pushToken: 'fcm_token',
  pushTokenSavedAt: 'fcm_token_saved_at',
  keptInbox: 'kept_inbox',
} as const
type StorageKey = (typeof storageKeys)[keyof typeof storageKeys]

/** Browsers may deny storage (private windows, quotas). The session then lasts until the page is closed. */
const withFallback = <T>(action: () => T, fallback: T): T => {
  try {
    return action()
  } catch (error) {
    console.warn('local storage unavailable, continuing without it', error)
    return fallback
  }
}

export const readStored = (key: StorageKey): string | null => withFallback(() => localStorage.getItem(key), null)

export const writeStored = (key: StorageKey, value: string): void =>
  withFallback(() => localStorage.setItem(key, value), undefined)

export const removeStored = (key: StorageKey): void => withFallback(() => localStorage.removeItem(key), undefined)
