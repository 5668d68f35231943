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

/** What drafts.ts keeps for one user and one form. */
export type DraftKey = `draft:${string}`
/** What users chose about push in this browser (features/push). */
type PushChoiceKey = 'push_off' | 'push_hint_closed'
type StorageKey = (typeof storageKeys)[keyof typeof storageKeys] | DraftKey | PushChoiceKey

/** Browsers may deny storage (private windows, quotas). The session then lasts until the page is closed. */
export const withStorage = <T>(action: () => T, fallback: T): T => {
  try {
    return action()
  } catch (error) {
    console.warn('storage unavailable, continuing without it', error)
    return fallback
  }
}

export const readStored = (key: StorageKey): string | null => withStorage(() => localStorage.getItem(key), null)

export const writeStored = (key: StorageKey, value: string): void =>
  withStorage(() => localStorage.setItem(key, value), undefined)

export const removeStored = (key: StorageKey): void => withStorage(() => localStorage.removeItem(key), undefined)

/** In session storage (features/auth/registration/kept-registration.ts). */
export const keptRegistrationKey = 'kept_registration'

export const forgetRegistration = (): void =>
  withStorage(() => sessionStorage.removeItem(keptRegistrationKey), undefined)

const isDraftKey = (key: string): key is DraftKey => key.startsWith('draft:')

/** The keys of all drafts on this device. */
export const storedDraftKeys = (): readonly DraftKey[] =>
  withStorage(() => Object.keys(localStorage).filter(isDraftKey), [])

export const isPersonalDraft = (key: DraftKey): boolean => key.includes(':personal:')

export const removePersonalDrafts = (): void => {
  for (const key of storedDraftKeys()) if (isPersonalDraft(key)) removeStored(key)
}
