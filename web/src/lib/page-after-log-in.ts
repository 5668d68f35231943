/** Where somebody lands after signing in, by role: any that is not one of the staff's is a learner's. */
export const landingPage = (role: string): string => {
  if (role === 'admin') return '/admin/dashboard'
  if (role === 'faculty') return '/faculty/dashboard'
  return '/home'
}

/** Router state of the log-in page: the page that asked for a log-in, and what it had been told. */
export type LogInState = { readonly from: string; readonly state?: unknown }

const isLogInState = (state: unknown): state is LogInState =>
  typeof state === 'object' && state !== null && 'from' in state && typeof state.from === 'string'

export const logInStateOf = (routerState: unknown): LogInState | null =>
  isLogInState(routerState) ? routerState : null

export type Destination = { readonly to: string; readonly state?: unknown }

/** A path of this portal: `//host` would be somebody else's. */
const ownPath = /^\/(?![/\\])/

/**
 * Where to go after signing in: back to the page that asked for it, unless that page belongs to another role (someone
 * else may have signed in on this device).
 */
export const pageAfterLogIn = (role: string, routerState: unknown): Destination => {
  const asked = logInStateOf(routerState)
  if (!asked || !ownPath.test(asked.from)) return { to: landingPage(role) }
  const asksForAdmin = /^\/admin(\/|$)/.test(asked.from)
  return asksForAdmin === (role === 'admin') ? { to: asked.from, state: asked.state } : { to: landingPage(role) }
}
