import type { Subscription } from '@portal/platform/bus/port'
import { watchPasswords } from '@portal/platform/observability/metrics/watch'
import type { MailSender, SmsSender } from '@portal/platform/outbound/port'
import type { Service, ServiceDeps } from '@portal/platform/runtime/service'
import { createCookies } from '@portal/platform/session/cookies'
import type { SigningKeys } from '@portal/platform/session/signing-keys'
import { createFirstPasswordExpired } from './first-admin/first-password-expired.ts'
import { createEnsureFirstAdmin, type EnsureFirstAdmin } from './first-admin/ensure-first-admin.ts'
import { startFollowUp } from './follow-up.ts'
import { type AuthLimits, defaultAuthLimits } from './limits/auth-limits.ts'
import { createConfirmNumber } from './mobile-number/confirm-number.ts'
import { createPasswordHashing, type PasswordHashingOptions } from './passwords/password-hashing.ts'
import { linkOriginOf, type Site } from './password-reset/link-origin.ts'
import { buildPasswordReset } from './password-reset/password-reset.ts'
import type { LinkSending } from './password-reset/send-link.ts'
import { authProjections, authPublishers } from './projections.ts'
import { createCompletion } from './registration/completion.ts'
import { provingEmail } from './registration/prove-email.ts'
import { createRegisterDirectly } from './registration/register-directly.ts'
import { createRegistrationLimits } from './registration/registration-limits.ts'
import { createRegistrations } from './registration/registrations.ts'
import type { ListedUniversities } from './registration/listed-universities.ts'
import { registrationRoutes } from './registration/routes.ts'
import { createCodeSender, createTellOwner } from './registration/send-codes.ts'
import { createSeedFaculty, type SeedFaculty } from './seed/seed-faculty.ts'
import { createSeedLearners, type SeedLearners } from './seed/seed-learners.ts'
import { createAttackNotices } from './session/attack-notices.ts'
import { createEndEarlierSessions } from './session/end-earlier-sessions.ts'
import { createLogInGuard } from './session/log-in-guard.ts'
import { createLogIn } from './session/log-in.ts'
import { createLogOut } from './session/log-out.ts'
import { openSessionsProjection } from './session/open-sessions-projection.ts'
import { sessionProjection } from './session/projection.ts'
import { sessionRoutes } from './session/routes.ts'
import { defaultSessionLifetimeMs } from './session/session-lifetime.ts'
import { createSlowDown, realWait, type Wait } from './session/slow-down.ts'
import { createStartSession } from './session/start-session.ts'
import { createChangePassword } from './user/change-password.ts'
import { createChangeProfile } from './user/change-profile.ts'
import { createDirectory } from './user/directory.ts'
import { directoryProjection } from './user/directory-projection.ts'
import { createFindUser } from './user/find-user.ts'
import { createErasure, type Erasure } from './user/erasure.ts'
import { createOpenedProfiles } from './user/opened-profiles.ts'
import { loginProjection } from './user/login-projection.ts'
import { createReplacePassword } from './user/replace-password.ts'
import { userRoutes } from './user/routes.ts'

export type AuthDeps = ServiceDeps & {
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
    /** Needs neither projections nor `start`. */
    readonly seedLearners: SeedLearners
    /** Needs neither projections nor `start`. */
    readonly seedFaculty: SeedFaculty
  }

export const buildAuth = (deps: AuthDeps): Auth => {
  const { bind, eventStore, readModels, bus, vault, clockAndIds, limiters, mail, sms, signingKeys, site, securityLog } =
    deps
  const logger = deps.logger.child({ service: 'auth' })
  const sessionLifetimeMs = deps.sessionLifetimeMs ?? defaultSessionLifetimeMs
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
  const registerDirectly = createRegisterDirectly({ eventStore, completion })
  const erasure = createErasure({ eventStore, readModels, vault, profiles, securityLog: deps.securityLog, logger })
  const sendCodes = createCodeSender({ mail, sms, logger })
  const registrationLimits = createRegistrationLimits({
    registrationsPerAddress: limiter('registrationsPerAddress'),
    registrationsPerEmailAndAddress: limiter('registrationsPerEmailAndAddress'),
    registrationsPerEmail: limiter('registrationsPerEmail'),
    repeatedRegistrations: limiter('repeatedRegistrations'),
    codeChecksPerAddress: limiter('codeChecksPerAddress'),
    codeChecksPerEmail: limiter('codeChecksPerEmail'),
    codesPerMobile: limiter('codesPerMobile'),
    smsPerHour: limiter('smsPerHour'),
  })
  const registrations = createRegistrations({
    eventStore,
    vault,
    clockAndIds,
    passwords,
    completion,
    confirmNumber: createConfirmNumber({ eventStore, clockAndIds }),
    limits: registrationLimits,
    sendCodes,
    tellOwner: createTellOwner({ mail, logger }, linkOriginOf(site)),
  })
  const guard = createLogInGuard({
    perEmailAndAddress: limiter('logInFailuresPerEmailAndAddress'),
    perEmail: [
      limiter('logInFailuresPerEmail'),
      limiter('logInFailuresPerEmailInHours'),
      limiter('logInFailuresPerEmailInDay'),
    ],
    perAddress: limiter('logInFailuresPerAddress'),
    perDevice: limiter('logInFailuresPerDevice'),
    slowDown: createSlowDown({ elapsedMs: clockAndIds.elapsedMs, wait: deps.wait ?? realWait }),
    successesPerEmail: limiter('logInsPerEmail'),
  })
  const logins = readModels.of(loginProjection)
  const openSessions = readModels.of(openSessionsProjection)
  const startSession = createStartSession({
    eventStore,
    openSessions,
    clockAndIds,
    signingKeys,
    sessionLifetimeMs,
    securityLog,
  })
  const attackNotices = createAttackNotices({
    mail,
    origin: linkOriginOf(site),
    failures: limiter('logInFailuresBeforeNotice'),
    notices: limiter('attackNoticesPerEmail'),
    logger,
  })
  const logIn = createLogIn({
    eventStore,
    readModel: logins,
    vault,
    clockAndIds,
    passwords,
    findUser,
    guard,
    startSession,
    firstPasswordExpired: createFirstPasswordExpired({ eventStore, clockAndIds }),
    attackNotices,
    logger,
  })
  const logOut = createLogOut({ eventStore, readModel: readModels.of(sessionProjection) })
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
    guard,
    cookies,
    securityLog,
    sending: deps.linkSending,
    givenUp: deps.observability?.metrics.outbound.givenUp.labels({ channel: 'email' }),
    limiter,
    logger,
  })
  const changesPerUser = limiter('profileChangesPerUser')
  const seeding = { eventStore, vault, clockAndIds, passwords, completion, registerDirectly }
  let followUp: Pick<Subscription, 'stop'> | undefined

  return {
    name: 'auth',
    publishers: authPublishers,
    projections: authProjections,
    routes: (app) => {
      const { universities } = deps
      registrationRoutes(app, {
        bind,
        cookies,
        clockAndIds,
        registrations,
        vault,
        limits: registrationLimits,
        universities,
        securityLog,
      })
      sessionRoutes(app, { bind, cookies, vault, clockAndIds, securityLog, logIn, logOut })
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
      await attackNotices.stop()
      await passwords.close()
    },
    eraseUser: erasure.eraseUser,
    ensureFirstAdmin: createEnsureFirstAdmin({ eventStore, vault, clockAndIds, passwords, registerDirectly }),
    seedLearners: createSeedLearners(seeding),
    seedFaculty: createSeedFaculty(seeding),
  }
}
