/** The home page of a role. Any role but admin and faculty is a learner. */
export const landingPage = (role: string): string => {
  if (role === 'admin') return '/admin/dashboard'
  if (role === 'faculty') return '/faculty/dashboard'
  return '/home'
}

/** Router state of the login page: the page that required the login, and that page's own router state. */
export type LoginState = { readonly from: string; readonly state?: unknown }

const isLoginState = (state: unknown): state is LoginState =>
  typeof state === 'object' && state !== null && 'from' in state && typeof state.from === 'string'

export const loginStateOf = (routerState: unknown): LoginState | null =>
  isLoginState(routerState) ? routerState : null

/** Router state of the login page for a user whose address is known. */
export type KnownEmail = { readonly personalEmail: string }

const hasEmail = (state: unknown): state is KnownEmail =>
  typeof state === 'object' && state !== null && 'personalEmail' in state && typeof state.personalEmail === 'string'

export const knownEmailOf = (routerState: unknown): string => (hasEmail(routerState) ? routerState.personalEmail : '')

export type RedirectTarget = { readonly to: string; readonly state?: unknown }

/** A path of this portal: `//host` would lead to another one. */
const ownPath = /^\/(?![/\\])/

/**
 * The page to show after a login: the one that required it, unless that is for another role. Another user may have logged in on
 * this device.
 */
export const postLoginRedirect = (role: string, routerState: unknown): RedirectTarget => {
  const loginState = loginStateOf(routerState)
  if (!loginState || !ownPath.test(loginState.from)) return { to: landingPage(role) }
  const requiresAdmin = /^\/admin(\/|$)/.test(loginState.from)
  return requiresAdmin === (role === 'admin')
    ? { to: loginState.from, state: loginState.state }
    : { to: landingPage(role) }
}
