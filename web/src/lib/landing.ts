import type { Role } from '@portal/contracts/auth/user'

/** Where somebody lands after signing in, by role. */
export const landingPage = (role: Role): string => {
  if (role === 'admin') return '/admin/dashboard'
  if (role === 'faculty') return '/faculty/dashboard'
  return '/home'
}

/** Router state of the log-in page: the page that asked for a session that had ended. */
export type LogInState = { readonly from: string }

const isLogInState = (state: unknown): state is LogInState =>
  typeof state === 'object' && state !== null && 'from' in state && typeof state.from === 'string'

/** A path of this portal: `//host` would be somebody else's. */
const ownPath = /^\/(?![/\\])/

/**
 * Where to go after signing in: back to the page that asked for it, unless that page belongs to another role (someone
 * else may have signed in on this device).
 */
export const pageAfterLogIn = (role: Role, routerState: unknown): string => {
  if (!isLogInState(routerState) || !ownPath.test(routerState.from)) return landingPage(role)
  const asksForAdmin = /^\/admin(\/|$)/.test(routerState.from)
  return asksForAdmin === (role === 'admin') ? routerState.from : landingPage(role)
}
