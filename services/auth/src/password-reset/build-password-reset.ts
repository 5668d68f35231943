import { countedFromZero } from '@portal/platform/observability/metrics/metrics'
import type { AttemptLimiter } from '@portal/platform/limits/port'
import type { MailSender } from '@portal/platform/outbound/port'
import type { ServiceDeps } from '@portal/platform/runtime/service'
import type { Cookies } from '@portal/platform/session/cookies'
import { linkOriginOf, type Site } from '@portal/platform/settings/link-origin'
import type { FastifyInstance } from 'fastify'
import type { AuthLimits } from '../auth-limits.ts'
import type { LoginGuard } from '../session/login-guard.ts'
import { createForgottenPasswords, type ForgottenPasswordsDeps } from './forgotten-passwords.ts'
import { type LinkLimiters, passwordResetRoutes } from './routes.ts'
import { createLinkSender, defaultLinkSenderOptions, type LinkSenderOptions } from './send-link.ts'

type PasswordResetDeps = Omit<ForgottenPasswordsDeps, 'links'> &
  Pick<ServiceDeps, 'bind' | 'observability' | 'securityLog' | 'logger'> & {
    readonly mail: MailSender
    readonly site: Site
    readonly guard: LoginGuard
    readonly linkSenderOptions?: Partial<LinkSenderOptions>
    readonly cookies: Pick<Cookies, 'set'>
    limiter(name: keyof AuthLimits): AttemptLimiter
  }

/** Wires the password reset into the auth service. */
export const buildPasswordReset = (deps: PasswordResetDeps) => {
  const { mail, site, logger, limiter, observability, linkSenderOptions } = deps
  const links = createLinkSender({
    ...defaultLinkSenderOptions,
    ...linkSenderOptions,
    mail,
    origin: linkOriginOf(site),
    givenUp: observability && countedFromZero(observability.metrics.outbound.givenUp, { channel: 'email' }),
    logger,
  })
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
