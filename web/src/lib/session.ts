import { userSchema, type User } from '@portal/contracts/auth/user'
import { useSyncExternalStore } from 'react'
import {
  forgetRegistration,
  readStored,
  removePersonalDrafts,
  removeStored,
  storageKeys,
  writeStored,
} from './storage.ts'

/** The signed-in user. The client only uses it to choose what to show; the server authorizes each request. */
export type Session = { readonly user: User; readonly token: string }

/**
 * `startedHere`: this page submitted the login and navigates on its own. `ended`: the server ended the session, so the next login
 * returns to the same page. `farewell`: what the login page says of the end.
 */
type SessionState =
  | { readonly kind: 'signed-in'; readonly session: Session; readonly startedHere: boolean }
  | {
      readonly kind: 'anonymous'
      readonly reason: 'not-signed-in' | 'logged-out' | 'ended'
      readonly farewell?: string | undefined
    }

/**
 * Only the end of the number is stored on the device. It keeps the layout of the profile stable until the server sends the whole
 * number.
 */
const masked = (number: string): string => number.slice(-2).padStart(number.length, '•')

const storeUser = (user: User): void => {
  const stored = JSON.stringify({ ...user, mobileNumber: masked(user.mobileNumber) })
  if (stored !== readStored(storageKeys.user)) writeStored(storageKeys.user, stored)
}

const storedUser = (): User | null => {
  const text = readStored(storageKeys.user)
  if (text === null) return null
  try {
    return userSchema.parse(JSON.parse(text))
  } catch (error) {
    console.warn('stored user is invalid, ignoring it', error)
    return null
  }
}

/** What is kept of the inbox (features/notifications/kept-inbox.ts) belongs to one session. */
const forgetInbox = (): void => removeStored(storageKeys.keptInbox)

const restore = (): SessionState => {
  const token = readStored(storageKeys.token)
  const user = readStored(storageKeys.isLoggedIn) === 'true' ? storedUser() : null
  return user && token
    ? { kind: 'signed-in', session: { user, token }, startedHere: false }
    : { kind: 'anonymous', reason: 'not-signed-in' }
}

let state: SessionState = restore()
// Earlier releases stored the whole number.
if (state.kind === 'signed-in') storeUser(state.session.user)
// Another tab may have kept it while the session ended.
else forgetInbox()
const listeners = new Set<() => void>()

const clearAppBadge = (): void => {
  const badged: { clearAppBadge?(): Promise<void> } = navigator
  // Browsers reject without permission, and then show no badge.
  badged.clearAppBadge?.().catch(() => undefined)
}

const change = (next: SessionState): void => {
  state = next
  if (next.kind === 'anonymous') clearAppBadge()
  // The next to register in this tab may be another person.
  forgetRegistration()
  for (const listener of listeners) listener()
}

/** The reason that another tab stored, because it may learn of the end before this one. */
const storedEnd = (): 'logged-out' | 'ended' =>
  readStored(storageKeys.sessionEnd) === 'ended' ? 'ended' : 'logged-out'

const sessionKeys: ReadonlySet<string | null> = new Set([
  null, // storage was cleared as a whole
  storageKeys.user,
  storageKeys.token,
  storageKeys.isLoggedIn,
])

/** Restores the whole number if this tab has it, because storage has only its end. */
const withKnownNumber = (next: SessionState): SessionState => {
  const known = currentSession()?.user
  if (next.kind !== 'signed-in' || next.session.user._id !== known?._id) return next
  return { ...next, session: { ...next.session, user: { ...next.session.user, mobileNumber: known.mobileNumber } } }
}

/** A login or logout applies to all tabs. */
const followOtherTabs = (): void => {
  const next = withKnownNumber(restore())
  if (next.kind === 'anonymous') forgetInbox()
  if (next.kind === 'anonymous' && state.kind === 'signed-in') change({ kind: 'anonymous', reason: storedEnd() })
  if (next.kind === 'signed-in' && JSON.stringify(next.session) !== JSON.stringify(currentSession())) change(next)
}
// The build renders pages without a browser (build/render-page.tsx).
if (typeof window !== 'undefined') {
  window.addEventListener('storage', ({ key }) => {
    if (sessionKeys.has(key)) followOtherTabs()
  })
  // A page in the back/forward cache gets no events.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) followOtherTabs()
  })
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const sessionState = (): SessionState => state

export const currentSession = (): Session | null => (state.kind === 'signed-in' ? state.session : null)

/** Writes the flag last, because other tabs read user and token as soon as it is set. */
export const startSession = (session: Session): void => {
  forgetInbox()
  storeUser(session.user)
  writeStored(storageKeys.token, session.token)
  removeStored(storageKeys.sessionEnd)
  // The cookie now belongs to the new session.
  removeStored(storageKeys.logOutDue)
  writeStored(storageKeys.isLoggedIn, 'true')
  change({ kind: 'signed-in', session, startedHere: true })
}

/** Stores the user after a change of their profile. */
export const updateSessionUser = (user: User): void => {
  if (state.kind !== 'signed-in') return
  storeUser(user)
  change({ ...state, session: { ...state.session, user } })
}

/** Writes the reason first, because other tabs read it as soon as user, token or flag are gone. */
export const endSession = (reason: 'logged-out' | 'ended', farewell?: string): void => {
  if (state.kind === 'signed-in') writeStored(storageKeys.sessionEnd, reason)
  removeStored(storageKeys.user)
  removeStored(storageKeys.token)
  removeStored(storageKeys.isLoggedIn)
  forgetInbox()
  if (reason === 'logged-out') removePersonalDrafts()
  // The server may have ended the session before it answered.
  if (state.kind === 'signed-in' || farewell !== undefined) change({ kind: 'anonymous', reason, farewell })
}

export const useSessionState = (): SessionState => useSyncExternalStore(subscribe, sessionState, sessionState)

export const useSession = (): Session | null => useSyncExternalStore(subscribe, currentSession, currentSession)
