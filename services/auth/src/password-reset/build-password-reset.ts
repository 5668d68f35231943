import type { AttemptLimiter } from '@portal/platform/limits/port'
import type { ServiceDeps } from '@portal/platform/runtime/service'
import type { Cookies } from '@portal/platform/session/cookies'
import type { FastifyInstance } from 'fastify'
import type { AuthLimits } from '../auth-limits.ts'
import type { AcceptInvitation } from '../invitation/accept-invitation.ts'
import type { LoginGuard } from '../session/login-guard.ts'
import { createForgottenPasswords, type ForgottenPasswordsDeps } from './forgotten-passwords.ts'
import { type LinkLimiters, passwordResetRoutes } from './routes.ts'
import { type LinkSenderPorts, openLinkSender } from './send-link.ts'

type PasswordResetDeps = Omit<ForgottenPasswordsDeps, 'links'> &
  Pick<ServiceDeps, 'bind' | 'securityLog'> &
  LinkSenderPorts & {
    readonly guard: LoginGuard
    readonly acceptInvitation: AcceptInvitation['accept']
    readonly cookies: Pick<Cookies, 'set'>
    limiter(name: keyof AuthLimits): AttemptLimiter
  }

/** Wires the password reset into the auth service. */
export const buildPasswordReset = (deps: PasswordResetDeps) => {
  const { limiter } = deps
  const links = openLinkSender(deps)
  const forgottenPasswords = createForgottenPasswords({ ...deps, links })
  const limiters: LinkLimiters = {
    perEmailAndAddress: limiter('resetLinksPerEmailAndAddress'),
    perEmail: limiter('resetLinksPerEmail'),
    perAddress: limiter('resetLinksPerAddress'),
    resetsPerAddress: limiter('passwordResetsPerAddress'),
  }
  return {
    routes: (app: FastifyInstance): void => passwordResetRoutes(app, { ...deps, forgottenPasswords, links, limiters }),
    stop: links.stop,
  }
}
