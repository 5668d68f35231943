import type { ActiveUser, UserState } from '../user/decider.ts'
import type { Login } from '../user/login-projection.ts'

/**
 * Whether the user's own stream grants what the read model says about a log-in. It does not where the read model lags behind a
 * change of the role or of the e-mail address, is corrupt, or was written by somebody else.
 */
export const isGrantedTo = (
  user: UserState,
  { role, emailIndex }: Pick<Login, 'role'> & { readonly emailIndex: string },
): user is ActiveUser => user.status === 'active' && user.role === role && user.emailIndex === emailIndex
