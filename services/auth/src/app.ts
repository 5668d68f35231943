import type { Subscription } from '@portal/platform/bus/port'
import { watchPasswords } from '@portal/platform/observability/metrics/watch'
import type { MailSender, SmsSender } from '@portal/platform/outbound/port'
import type { Service, ServiceDeps } from '@portal/platform/runtime/service'
import { createCookies } from '@portal/platform/session/cookies'
import type { SigningKeys } from '@portal/platform/session/signing-keys'
import { type AuthLimits, defaultAuthLimits } from './auth-limits.ts'
import { createEnsureFirstAdmin, type EnsureFirstAdmin } from './first-admin/ensure-first-admin.ts'
import { startFollowUp } from './follow-up.ts'
import type { Site } from './password-reset/link-origin.ts'
import { buildPasswordReset } from './password-reset/build-password-reset.ts'
import type { LinkSending } from './password-reset/send-link.ts'
import { createPasswordHashing, type PasswordHashingOptions } from './passwords/password-hashing.ts'
import { authProjections, authPublishers } from './projections.ts'
import { buildRegistration } from './registration/build-registration.ts'
import { createCompletion } from './registration/completion.ts'
import type { ListedUniversities } from './registration/listed-universities.ts'
import { provingEmail } from './registration/prove-email.ts'
import { buildSessions } from './session/build-sessions.ts'
import { createEndEarlierSessions } from './session/end-earlier-sessions.ts'
import { realWait, type Wait } from './session/slow-down.ts'
import { defaultSessionLifetimeMs } from './session/start-session.ts'
import { createChangePassword } from './user/change-password.ts'
import { createChangeProfile } from './user/change-profile.ts'
import { createDirectory, createFindUser } from './user/directory.ts'
import { createErasure, type Erasure } from './user/erasure.ts'
import { createOpenedProfiles } from './user/profile.ts'
import { directoryProjection, loginProjection } from './user/projection.ts'
import { createReplacePassword } from './user/replace-password.ts'
import { userRoutes } from './user/routes.ts'

type AuthDeps = ServiceDeps & {
  readonly mail: MailSender
  readonly sms: SmsSender
  readonly signingKeys: SigningKeys
  /** Any university will do where absent. */
  readonly universities?: ListedUniversities | undefined
  /** Where the portal is, for links in mails. */
  readonly site: Site
  readonly limits?: Partial<AuthLimits>
  /** How many codes the portal sends by SMS in an hour; 1,000 where absent. */
  readonly smsPerHour?: number
  /** Seven days where absent. */
  readonly sessionLifetimeMs?: number
  readonly passwordHashing?: PasswordHashingOptions
  readonly linkSending?: Partial<LinkSending>
  /** How a guess is slowed down. */
  readonly wait?: Wait
}

export type Auth = Service &
  Pick<Erasure, 'eraseUser'> & {
    /** Before the first request; needs neither projections nor `start`. */
    readonly ensureFirstAdmin: EnsureFirstAdmin
  }

export const buildAuth = (deps: AuthDeps): Auth => {
  const { bind, eventStore, readModels, bus, vault, clockAndIds, limiters, mail, site, securityLog } = deps
  const logger = deps.logger.child({ service: 'auth' })
  const { smsPerHour = defaultAuthLimits.smsPerHour.most } = deps
  const smsLimit = { ...defaultAuthLimits.smsPerHour, most: smsPerHour }
  const limits = { ...defaultAuthLimits, smsPerHour: smsLimit, ...deps.limits }
  const limiter = (name: keyof AuthLimits) => limiters.of(name, limits[name])

  const cookies = createCookies(site.publicOrigin)
  const passwords = createPasswordHashing(deps.passwordHashing)
  if (deps.observability) watchPasswords(deps.observability.metrics, passwords.load)
  const profiles = createOpenedProfiles(vault)
  const directory = createDirectory(readModels.of(directoryProjection), profiles)
  const findUser = createFindUser({ directory, eventStore, profiles })
  const endEarlierSessions = createEndEarlierSessions({ eventStore, readModels, securityLog })
  const completion = createCompletion({ eventStore, readModels, endEarlierSessions })
  const erasure = createErasure({ eventStore, readModels, vault, profiles, securityLog: deps.securityLog, logger })
  const registration = buildRegistration({
    ...deps,
    logger,
    cookies,
    passwords,
    completion,
    limiter,
    universities: deps.universities,
  })
  const logins = readModels.of(loginProjection)
  const sessions = buildSessions({
    ...deps,
    logger,
    logins,
    cookies,
    sessionLifetimeMs: deps.sessionLifetimeMs ?? defaultSessionLifetimeMs,
    passwords,
    findUser,
    wait: deps.wait ?? realWait,
    limiter,
  })
  const changeProfile = createChangeProfile({ eventStore, readModels, vault, clockAndIds })
  const replacePassword = createReplacePassword({
    eventStore,
    readModels,
    vault,
    clockAndIds,
    passwords,
    endEarlierSessions,
  })
  const attemptsPerUser = limiter('passwordChangesPerUser')
  const changePassword = createChangePassword({ eventStore, vault, passwords, replacePassword, attemptsPerUser })
  const passwordReset = buildPasswordReset({
    bind,
    eventStore,
    logins,
    vault,
    clockAndIds,
    replacePassword: provingEmail({ eventStore, logger }, replacePassword),
    mail,
    site,
    guard: sessions.guard,
    cookies,
    securityLog,
    sending: deps.linkSending,
    givenUp: deps.observability?.metrics.outbound.givenUp.labels({ channel: 'email' }),
    limiter,
    logger,
  })
  const changesPerUser = limiter('profileChangesPerUser')
  let followUp: Pick<Subscription, 'stop'> | undefined

  return {
    name: 'auth',
    publishers: authPublishers,
    projections: authProjections,
    routes: (app) => {
      registration.routes(app)
      sessions.routes(app)
      userRoutes(app, {
        bind,
        directory,
        findUser,
        changeProfile,
        changePassword,
        changesPerUser,
        securityLog: deps.securityLog,
      })
      passwordReset.routes(app)
    },
    start: async () => {
      const { control: cursorsIn, continuity } = readModels
      followUp = await startFollowUp({ bus, cursorsIn, continuity, logger, completion, erasure, endEarlierSessions })
    },
    stop: async () => {
      await followUp?.stop()
      await passwordReset.stop()
      await sessions.stop()
      await passwords.close()
    },
    eraseUser: erasure.eraseUser,
    ensureFirstAdmin: createEnsureFirstAdmin({ eventStore, vault, clockAndIds, passwords }),
  }
}
