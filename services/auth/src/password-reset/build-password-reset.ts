import type { BindRoute } from '@portal/platform/http/handler'
import type { SecurityLog } from '@portal/platform/security-log/security-log'
import type { MailSender } from '@portal/platform/outbound/port'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { AttemptLimiter } from '@portal/platform/limits/port'
import type { Cookies } from '@portal/platform/session/cookies'
import type { LogInGuard } from '../session/log-in-guard.ts'
import { linkOriginOf, type Site } from './link-origin.ts'
import { createForgottenPasswords, type ForgottenPasswordsDeps } from './forgotten-passwords.ts'
import { type LinkLimiters, passwordResetRoutes } from './routes.ts'
import { createLinkSender, defaultLinkSending, type LinkSending } from './send-link.ts'

type Deps = Omit<ForgottenPasswordsDeps, 'links'> & {
  readonly bind: BindRoute
  readonly mail: MailSender
  readonly site: Site
  readonly guard: LogInGuard
  readonly sending: Partial<LinkSending> | undefined
  /** Counts mails that were promised and not sent. */
  readonly givenUp: { inc(): void } | undefined
  readonly logger: Logger
  readonly cookies: Pick<Cookies, 'set'>
  readonly securityLog: Pick<SecurityLog, 'record'>
  readonly limiter: (
    name: `resetLinksPer${'Email' | 'Address' | 'EmailAndAddress'}` | 'passwordResetsPerAddress',
  ) => AttemptLimiter
}

/** Everything about forgotten passwords, for the context to take in. */
export const buildPasswordReset = (deps: Deps) => {
  const { mail, site, logger, limiter, givenUp } = deps
  const sending = { ...defaultLinkSending, ...deps.sending }
  const links = createLinkSender({ ...sending, mail, origin: linkOriginOf(site), givenUp, logger })
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
