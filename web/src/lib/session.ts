import { userSchema, type User } from '@portal/contracts/auth/user'
import { useSyncExternalStore } from 'react'
import { readStored, removeStored, storageKeys, writeStored } from './storage.ts'

/** Who is signed in here. The server decides what they may do; this only decides what is shown. */
type Session = { readonly user: User; readonly token: string }

/**
 * `startedHere`: the log-in was this page's own, which goes on by itself. `ended`: the server says that the session is over, so
 * the reader should come back to where they were.
 */
type SessionState =
  | { readonly kind: 'signed-in'; readonly session: Session; readonly startedHere: boolean }
  | { readonly kind: 'anonymous'; readonly reason: 'not-signed-in' | 'logged-out' | 'ended' }

/**
 * The profile shows the whole number as soon as the server answers, so on the device its end is enough: it keeps the number's room
 * until then.
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
    console.warn('The stored user is not readable', error)
    return null
  }
}

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
const listeners = new Set<() => void>()

const change = (next: SessionState): void => {
  state = next
  for (const listener of listeners) listener()
}

/** Why another tab ended the session: it may have heard of it before this one. */
const storedEnd = (): 'logged-out' | 'ended' =>
  readStored(storageKeys.sessionEnd) === 'ended' ? 'ended' : 'logged-out'

const sessionKeys: ReadonlySet<string | null> = new Set([
  null, // storage was cleared as a whole
  storageKeys.user,
  storageKeys.token,
  storageKeys.isLoggedIn,
])

/** Storage has only the end of the number; this tab may know all of it. */
const withKnownNumber = (next: SessionState): SessionState => {
  const known = currentSession()?.user
  if (next.kind !== 'signed-in' || next.session.user._id !== known?._id) return next
  return { ...next, session: { ...next.session, user: { ...next.session.user, mobileNumber: known.mobileNumber } } }
}

/** Logging in or out in one tab is logging in or out in all of them. */
window.addEventListener('storage', (event) => {
  if (!sessionKeys.has(event.key)) return
  const next = withKnownNumber(restore())
  if (next.kind === 'anonymous' && state.kind === 'signed-in') change({ kind: 'anonymous', reason: storedEnd() })
  if (next.kind === 'signed-in' && JSON.stringify(next.session) !== JSON.stringify(currentSession())) change(next)
})

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const sessionState = (): SessionState => state

export const currentSession = (): Session | null => (state.kind === 'signed-in' ? state.session : null)

/** The flag goes last: other tabs take it as the sign that user and token are there. */
export const startSession = (session: Session): void => {
  storeUser(session.user)
  writeStored(storageKeys.token, session.token)
  removeStored(storageKeys.sessionEnd)
  // The cookie is the new session's from here on.
  removeStored(storageKeys.logOutDue)
  writeStored(storageKeys.isLoggedIn, 'true')
  change({ kind: 'signed-in', session, startedHere: true })
}

/** After the user changed their own details. */
export const updateSessionUser = (user: User): void => {
  if (state.kind !== 'signed-in') return
  storeUser(user)
  change({ ...state, session: { ...state.session, user } })
}

/** The reason goes first: other tabs look for it as soon as user, token or flag are gone. */
export const endSession = (reason: 'logged-out' | 'ended'): void => {
  if (state.kind === 'signed-in') writeStored(storageKeys.sessionEnd, reason)
  removeStored(storageKeys.user)
  removeStored(storageKeys.token)
  removeStored(storageKeys.isLoggedIn)
  if (state.kind === 'signed-in') change({ kind: 'anonymous', reason })
}

export const useSessionState = (): SessionState => useSyncExternalStore(subscribe, sessionState)

export const useSession = (): Session | null => useSyncExternalStore(subscribe, currentSession)
