import type { Role } from '@portal/contracts/auth/user'
import { useState } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router-dom'
import { landingPage, type LoginState, postLoginRedirect } from '../lib/post-login-redirect.ts'
import { useSession, useSessionState } from '../lib/session.ts'

/**
 * Pages for those who are signed in. Anyone else goes to the log-in page, and comes back afterwards unless they logged out
 * themselves. What these pages ask for, the server checks anew.
 */
const RequireSession = ({ isAllowed }: { isAllowed: (role: Role) => boolean }) => {
  const state = useSessionState()
  const [atEntry] = useState(state.kind)
  const { pathname, search, state: told } = useLocation()
  if (state.kind === 'anonymous') {
    // Whoever logs out here wants to leave; whoever comes here afterwards wants this page.
    const isLeaving = state.reason === 'logged-out' && atEntry === 'signed-in'
    const loginState: LoginState | null = isLeaving ? null : { from: pathname + search, state: told }
    return <Navigate to="/login" replace state={loginState} />
  }
  const { user, token } = state.session
  if (!isAllowed(user.role)) return <Navigate to={landingPage(user.role)} replace />
  // Nothing that was drawn for one session is shown in the next.
  return <Outlet key={token} />
}

const isAdmin = (role: Role) => role === 'admin'
const isNotAdmin = (role: Role) => role !== 'admin'
const isFaculty = (role: Role) => role === 'faculty'

export const RequireLearner = () => <RequireSession isAllowed={isNotAdmin} />
export const RequireFaculty = () => <RequireSession isAllowed={isFaculty} />
export const RequireAdmin = () => <RequireSession isAllowed={isAdmin} />

/** The landing page is for everybody but admins, whose place is the dashboard. */
export const RejectAdmin = () => {
  const session = useSession()
  return session ? <RequireLearner /> : <Outlet />
}

/**
 * Log-in, registration and password reset. The forms sign in before they have finished, show their message, and then go on by
 * themselves; but whoever logs in in another tab is done here as well.
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

/** Any address that is not a page. */
export const UnknownPathRedirect = () => {
  const session = useSession()
  return <Navigate to={session ? landingPage(session.user.role) : '/login'} replace />
}
