import type { Role } from '@portal/contracts/auth/user'
import { useState } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router-dom'
import { landingPage, type LoginState, postLoginRedirect } from '../lib/post-login-redirect.ts'
import { useSession, useSessionState } from '../lib/session.ts'

/**
 * A push opens the page of its recipient. Admins, who may get their own sends, have that of the sender instead. A test push opens the
 * settings, and a mail about a login the list of sessions. All others are let into these pages.
 */
const allowedPage = (role: Role, pathname: string): string => {
  if (/^\/profile\/(?:notifications|sessions|security)$/.test(pathname)) return `/admin${pathname}`
  const id = /^\/notification\/([\da-f-]{36})$/.exec(pathname)?.[1]
  return id === undefined ? landingPage(role) : `/admin/notifications/${id}`
}

/**
 * Renders its pages for a signed-in user with an allowed role. Visitors are redirected to the login page, and back to this page
 * after the login unless they logged out here. The server authorizes each request of these pages itself.
 */
const RequireSession = ({ isAllowed }: { isAllowed: (role: Role) => boolean }) => {
  const state = useSessionState()
  const [atEntry] = useState(state.kind)
  const { pathname, search, state: routerState } = useLocation()
  if (state.kind === 'anonymous') {
    // A user who logs out on this page wants to leave it; a visitor who arrives later wants to return to it.
    const isLeaving = state.reason === 'logged-out' && atEntry === 'signed-in'
    const loginState: LoginState | null = isLeaving ? null : { from: pathname + search, state: routerState }
    return <Navigate to="/login" replace state={loginState} />
  }
  const { user, token } = state.session
  if (!isAllowed(user.role)) return <Navigate to={allowedPage(user.role, pathname)} replace />
  // Remount on a new session, so that nothing rendered for the previous user remains.
  return <Outlet key={token} />
}

const isAdmin = (role: Role) => role === 'admin'
const isNotAdmin = (role: Role) => role !== 'admin'
const isFaculty = (role: Role) => role === 'faculty'

export const RequireLearner = () => <RequireSession isAllowed={isNotAdmin} />
export const RequireFaculty = () => <RequireSession isAllowed={isFaculty} />
export const RequireAdmin = () => <RequireSession isAllowed={isAdmin} />

/** The landing page is open to all but admins, who are redirected to the dashboard. */
export const RejectAdmin = () => {
  const session = useSession()
  return session ? <RequireLearner /> : <Outlet />
}

/**
 * Login, registration and password reset. A form that logs in here shows a message before it redirects, so this guard waits for
 * it. A login in another tab redirects at once.
 */
export const RequireAnonymous = () => {
  const state = useSessionState()
  const [atEntry] = useState(state.kind)
  const { state: routerState } = useLocation()
  if (state.kind === 'anonymous') return <Outlet />
  const { role } = state.session.user
  if (atEntry === 'signed-in') return <Navigate to={landingPage(role)} replace />
  return state.startedHere ? <Outlet /> : <Navigate {...postLoginRedirect(role, routerState)} replace />
}

/** Redirects an earlier address of a page, which links and bookmarks may still have. */
export const MovedPage = ({ to }: { readonly to: string }) => {
  const { search, state } = useLocation()
  return <Navigate to={to + search} replace state={state} />
}

/** Redirects any path without a page: to the user's landing page, or to the login page. */
export const UnknownPathRedirect = () => {
  const session = useSession()
  return <Navigate to={session ? landingPage(session.user.role) : '/login'} replace />
}
