/** The keys that the product keeps in local storage. Other software on the page relies on user, token, flag and push token. */
export const storageKeys = {
  user: 'user',
  token: 'token',
  isLoggedIn: 'isLoggedIn',
  sessionEnd: 'session_end',
  logOutDue: 'log_out_due',
  pushToken: 'fcm_token',
  pushTokenSavedAt: 'fcm_token_saved_at',
} as const
type StorageKey = (typeof storageKeys)[keyof typeof storageKeys]

/** Storage can be refused (private windows, quotas). The portal then works for as long as the page is open. */
const attempt = <T>(action: () => T, fallback: T): T => {
  try {
    return action()
  } catch (error) {
    console.warn('Local storage is not available', error)
    return fallback
  }
}

export const readStored = (key: StorageKey): string | null => attempt(() => localStorage.getItem(key), null)

export const writeStored = (key: StorageKey, value: string): void =>
  attempt(() => localStorage.setItem(key, value), undefined)

export const removeStored = (key: StorageKey): void => attempt(() => localStorage.removeItem(key), undefined)
